import { expect, test } from '@playwright/test';
import { readRecording } from '../tests/embedded/recorded.js';
import { startEmbeddedServer } from './server.js';

// The package has no types of its own; it is called here as a user's script calls it.
const moduleName: string = 'kurento-client';
const { default: kurento } = await import(moduleName);

test('kurento-client in its strict default mode calls through, with nothing special for this server', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  try {
    const client = await kurento(server.url);
    const manager = await client.getServerManager();
    const info = await manager.getInfo();
    expect(info.type).toBe('KMS');
    expect(JSON.parse(await manager.getMetadata())).toEqual({ server: 'loadline-embedded' });
    const pipeline = await client.create('MediaPipeline');
    const caller = await pipeline.create('WebRtcEndpoint');
    const callee = await pipeline.create('WebRtcEndpoint');
    const found: unknown[] = [];
    const gathered = new Promise<void>((resolve) => caller.on('IceGatheringDone', () => resolve()));
    caller.on('IceCandidateFound', (event: { candidate: { candidate: string } }) => found.push(event.candidate));
    await caller.connect(callee);
    await callee.connect(caller, 'VIDEO');
    const answer = await caller.processOffer(await recordedOffer());
    expect(answer).toContain('a=setup:active');
    await caller.addIceCandidate(
      kurento.getComplexType('IceCandidate')({
        candidate: 'candidate:1 1 udp 2113937151 127.0.0.1 50000 typ host',
        sdpMid: '0',
        sdpMLineIndex: 0,
      }),
    );
    await caller.gatherCandidates();
    await gathered;
    expect(found).toHaveLength(2);
    const sinks = await caller.getSinkConnections();
    expect(sinks.map((sink: { type: string }) => sink.type)).toEqual(['AUDIO', 'DATA', 'VIDEO']);
    expect(await manager.getPipelines()).toHaveLength(1);
    await pipeline.release();
    expect(await manager.getPipelines()).toHaveLength(0);
    client.close();
  } finally {
    await server.close();
  }
});

async function recordedOffer(): Promise<string> {
  for (const frame of await readRecording('endpoint')) {
    const text = 'msg' in frame ? JSON.stringify(frame.msg) : '';
    const offer = /"offer":("v=0.*?[^\\]")[,}]/.exec(text)?.[1];
    if (offer !== undefined) return JSON.parse(offer) as string;
  }
  throw new Error('the recording has no offer');
}
