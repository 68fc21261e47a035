import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { RtpHeader } from 'werift';
import { readFrames } from '../../embedded-server/rpc/frame.js';
import { readRtcp } from '../../rtp/rtcp.js';
import { readRtp } from '../../rtp/rtp.js';
import { readOffer } from '../../rtp/sdp.js';
import { both, times } from '../effort.js';
import type { TestClient } from '../embedded/test-client.js';
import { WeriftPeer } from '../embedded/werift-peer.js';
import { randomFrom } from '../random.js';
import { writeTable } from '../reliability-table.js';
import { dtlsSeeds, offerSeed, rtcpSeeds, stunSeeds } from './fuzz-seeds.js';
import { aStranger, type FuzzTarget, portOf, startFuzzTarget, within } from './fuzz-target.js';
import { mutatedBytes, mutatedText, mutatedValue, pick, randomBytes, upTo } from './mutations.js';

/** 1 in the long suite; `npm run fuzz` takes more. */
const often = Number(process.env.LOADLINE_FUZZ_TIMES ?? times(0.4, 1));
const seed = Number(process.env.LOADLINE_FUZZ_SEED ?? 1);
const rows: { protocol: string; inputs: number; how: string; memory: string }[] = [];

test.describe.configure({ mode: 'serial', timeout: 40_000 + 40_000 * often });

let target: FuzzTarget;
test.beforeAll(async () => {
  target = await startFuzzTarget();
});
test.afterAll(async () => {
  await target.close();
  tell();
});

/** Sends inputs in rounds, asks after each whether the server lives, and compares its memory. */
async function attack(
  protocol: string,
  how: string,
  rounds: number,
  round: (nth: number) => Promise<number>,
): Promise<void> {
  const rssMb: number[] = [];
  let inputs = 0;
  for (let nth = 0; nth < Math.ceil(rounds * often); nth += 1) {
    inputs += await round(nth);
    await target.assertAlive(`${inputs} inputs of ${protocol} (seed ${seed})`);
    rssMb.push((await target.resources()).rssMb);
  }
  const warm = rssMb[Math.floor(rssMb.length / 3)] ?? 0;
  const end = rssMb.at(-1) ?? 0;
  rows.push({ protocol, inputs, how, memory: `${Math.round(warm)} → ${Math.round(end)} MB` });
  expect(end, `memory over the rounds: ${rssMb.join(', ')} MB`).toBeLessThan(warm * 1.2 + 25);
  expect((await target.resources()).endpoints).toBe(0);
}

test('no JSON-RPC frame ends the server, and each connection it closes can be opened again', both, async () => {
  const chance = randomFrom(seed);
  await attack('JSON-RPC', 'frames and bytes over WebSocket', 12, async () => {
    const client = await target.client();
    const pipeline = await client.create('MediaPipeline');
    const endpoint = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
    const frames = rpcSeeds(pipeline, endpoint);
    const sent = 200;
    for (let nth = 0; nth < sent; nth += 1) {
      if (client.socket.readyState !== client.socket.OPEN) await reopened(client);
      client.socket.send(rpcInput(chance, frames));
    }
    await cleared(client, pipeline);
    return sent;
  });
});

function rpcSeeds(pipeline: string, endpoint: string): object[] {
  const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 7, method, params });
  return [
    call('ping', { interval: 5000 }),
    call('connect', { sessionId: 'x' }),
    call('create', { type: 'WebRtcEndpoint', constructorParams: { mediaPipeline: pipeline } }),
    call('invoke', { object: endpoint, operation: 'processOffer', operationParams: { offer: offerSeed } }),
    call('invoke', { object: endpoint, operation: 'connect', operationParams: { sink: endpoint, mediaType: 'VIDEO' } }),
    call('invoke', {
      object: endpoint,
      operation: 'addIceCandidate',
      operationParams: {
        candidate: { candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host', sdpMid: '0', sdpMLineIndex: 0 },
      },
    }),
    call('invoke', { object: 'manager_ServerManager', operation: 'getInfo' }),
    call('subscribe', { object: endpoint, type: 'Error' }),
    call('describe', { object: pipeline }),
    call('transaction', {
      operations: [call('create', { type: 'MediaPipeline' }), call('ref', { object: 'newref:7' })],
    }),
    call('release', { object: 'nothing' }),
    call('unref', { object: endpoint }),
  ];
}

function rpcInput(chance: () => number, frames: readonly object[]): string | Buffer {
  const frame = pick(chance, frames);
  switch (upTo(chance, 5)) {
    case 0:
      return mutatedBytes(chance, Buffer.from(JSON.stringify(frame)));
    case 1:
      return `${'['.repeat(upTo(chance, 20_000))}`;
    case 2:
      return JSON.stringify(frame).slice(0, upTo(chance, 400)) + JSON.stringify(frame);
    default:
      return JSON.stringify(mutatedValue(chance, frame));
  }
}

/** A Kurento drops who sends no JSON; the same client goes on with a new connection. */
async function reopened(client: TestClient): Promise<void> {
  const fresh = await target.client();
  Object.assign(client, { socket: fresh.socket, sessionId: undefined });
}

async function cleared(client: TestClient, ...objects: readonly string[]): Promise<void> {
  client.socket.terminate();
  const fresh = await target.client();
  for (const object of objects) await within(fresh.call('release', { object }), 'release');
  const manager = await within(fresh.invoke('manager_ServerManager', 'getPipelines'), 'getPipelines');
  for (const object of Array.isArray(manager) ? manager : [])
    await within(fresh.call('release', { object }), 'release');
  fresh.close();
}

test('no offer ends the server: it answers, or refuses by a code', both, async () => {
  const chance = randomFrom(seed + 1);
  await attack('SDP', 'offers, each to a new endpoint, and candidates', 8, async () => {
    const client = await target.client();
    const pipeline = await client.create('MediaPipeline');
    const offers = 40;
    for (let nth = 0; nth < offers; nth += 1) {
      const endpoint = await within(client.create('WebRtcEndpoint', { mediaPipeline: pipeline }), 'create');
      let offer = offerSeed;
      for (let change = upTo(chance, 3); change >= 0; change -= 1) offer = mutatedText(chance, offer);
      await within(
        client.invoke(endpoint, 'processOffer', { offer }).catch(() => undefined),
        `an answer to ${JSON.stringify(offer)}`,
      );
      await within(
        client.invoke(endpoint, 'gatherCandidates').catch(() => undefined),
        'gatherCandidates',
      );
      const candidate = mutatedText(chance, 'candidate:1 1 udp 2130706431 127.0.0.1 9 typ host generation 0');
      const given = { candidate, sdpMid: '0', sdpMLineIndex: 0 };
      await within(
        client.invoke(endpoint, 'addIceCandidate', { candidate: given }).catch(() => undefined),
        'addIceCandidate',
      );
      await within(client.call('release', { object: endpoint }), 'release');
    }
    await cleared(client, pipeline);
    return 2 * offers;
  });
});

/** An endpoint that waits for its peer: ICE is running, DTLS has not begun. */
async function anOpenEndpoint(
  client: TestClient,
): Promise<{ pipeline: string; port: number; ufrag: string; password: string }> {
  const pipeline = await client.create('MediaPipeline');
  const endpoint = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  await client.call('subscribe', { object: endpoint, type: 'IceCandidateFound' });
  const answer = String(await client.invoke(endpoint, 'processOffer', { offer: offerSeed }));
  await client.invoke(endpoint, 'gatherCandidates');
  await client.waitForEvent('IceCandidateFound', endpoint);
  const [ufrag = '', password = ''] = ['ice-ufrag', 'ice-pwd'].map(
    (name) => new RegExp(`a=${name}:(\\S+)`).exec(answer)?.[1] ?? '',
  );
  return { pipeline, port: portOf(client.eventsOf('IceCandidateFound', endpoint)[0]), ufrag, password };
}

for (const [protocol, seedsOf] of [
  ['STUN', stunSeeds],
  ['DTLS', dtlsSeeds],
] as const) {
  test(`no ${protocol} datagram of a stranger ends the server`, both, async () => {
    const chance = randomFrom(seed + protocol.length + protocol.charCodeAt(0));
    await attack(protocol, 'datagrams of a stranger to an endpoint that waits for its peer', 8, async () => {
      const client = await target.client();
      const stranger = await aStranger();
      const { pipeline, port, ufrag, password } = await anOpenEndpoint(client);
      const seeds = seedsOf(ufrag, password);
      const sent = 800;
      for (let nth = 0; nth < sent; nth += 1) await stranger.send(mutatedBytes(chance, pick(chance, seeds)), port);
      stranger.close();
      await cleared(client, pipeline);
      return sent;
    });
  });
}

test(
  'no DTLS, RTP or RTCP of the participant itself ends the server, and the next participant connects',
  both,
  async () => {
    const chance = randomFrom(seed + 9);
    await attack(
      'DTLS, RTP, RTCP of a participant',
      'datagrams over a connected path, two of three encrypted with the right keys',
      4,
      async () => {
        const client = await target.client();
        const pipeline = await client.create('MediaPipeline');
        const from = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
        const to = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
        await client.invoke(from, 'connect', { sink: to });
        const peer = await WeriftPeer.join(client, from, 'sendonly');
        const other = await WeriftPeer.join(client, to, 'recvonly');
        const sent = 1500;
        for (let nth = 0; nth < sent; nth += 1) await peerInput(chance, nth % 2 === 0 ? peer : other);
        await Promise.all([peer.close(), other.close()]);
        await cleared(client, pipeline);
        return sent;
      },
    );
  },
);

async function peerInput(chance: () => number, peer: WeriftPeer): Promise<void> {
  const kind = upTo(chance, 5);
  if (kind < 2)
    await peer.sendRtcpBytes(mutatedBytes(chance, pick(chance, rtcpSeeds())).subarray(0, 1200)).catch(() => undefined);
  else if (kind < 4) {
    const header = new RtpHeader({
      payloadType: pick(chance, [0, 8, 96, 97, 111, 127]),
      sequenceNumber: upTo(chance, 65_535),
      timestamp: upTo(chance, 2 ** 32 - 1),
      ssrc: pick(chance, [1, 2, upTo(chance, 2 ** 32 - 1)]),
      marker: chance() < 0.5,
      padding: chance() < 0.2,
      paddingSize: upTo(chance, 255),
    });
    await peer.sendRtpBytes(header, randomBytes(chance, upTo(chance, 1300))).catch(() => undefined);
  } else {
    const junk = kind === 4 ? pick(chance, dtlsSeeds()) : randomBytes(chance, upTo(chance, 200));
    await peer.sendDatagram(mutatedBytes(chance, junk));
  }
}

test('no bytes make a parser throw, or read on for long', both, () => {
  const chance = randomFrom(seed + 20);
  const rtcp = rtcpSeeds();
  const rtp = Buffer.concat([
    Buffer.from('906000ff0000a000000012341000000210ab000000000000', 'hex'),
    Buffer.alloc(40, 1),
  ]);
  const count = 20_000 * often;
  let slowestMs = 0;
  const timed = (work: () => unknown) => {
    const began = performance.now();
    work();
    slowestMs = Math.max(slowestMs, performance.now() - began);
  };
  for (let nth = 0; nth < count; nth += 1) {
    timed(() => readRtcp(mutatedBytes(chance, pick(chance, rtcp))));
    timed(() => readRtp(mutatedBytes(chance, rtp)));
    if (nth % 4 === 0) timed(() => readOffer(mutatedText(chance, offerSeed)));
    if (nth % 4 === 0) timed(() => readFrames(mutatedText(chance, '{"jsonrpc":"2.0","id":1}{"a":"}\\"{"}')));
  }
  rows.push({
    protocol: 'parsers alone',
    inputs: 2.5 * count,
    how: 'RTP, RTCP, SDP, JSON joined in one message',
    memory: '',
  });
  expect(slowestMs).toBeLessThan(1000);
});

/** For docs/lab/reliability.md; written only when it is asked for. */
function tell(): void {
  const all = rows.reduce((sum, { inputs }) => sum + inputs, 0);
  const lines = rows.map(
    ({ protocol, inputs, how, memory }) => `| ${protocol} | ${how} | ${inputs} | 0 | 0 | ${memory} |`,
  );
  const head = ['| protocol | how | inputs | crashes | hangs | memory of the server |', '|---|---|---:|---:|---:|---|'];
  const text = [...head, ...lines, '', `Seed ${seed}, ${all} inputs.`];
  if (target.ended() === undefined || rows.length === 6) writeTable('fuzz', text);
  const folder = join('test-results', 'fuzz');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows, null, 2));
}
