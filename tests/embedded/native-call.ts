import type { EncodableCodec } from '../../model/codec.js';
import type { Leg } from '../../model/scenario.js';
import { LegMarks } from '../../probes/native/leg-marks.js';
import { NativePeer } from '../../probes/native/native-peer.js';
import { workerSurroundings } from '../../probes/native/surroundings.js';
import { clipOfBytes, inH264 } from '../native-clip.js';
import { joinNative } from './join-native.js';
import type { TestClient } from './test-client.js';

const both = ['audio', 'video'] as const;
const legOf = (id: string, other: string): Leg => ({ id, sends: both, receives: both, from: { participant: other } });
const triesMost = 5;

/**
 * Two probes in a call, who mark their pictures and their sound. On a machine that is very busy a handshake of werift
 * may fail, which is no part of what is looked at here: then they call again.
 */
export async function nativeCall(
  client: TestClient,
  marksOf = (leg: Leg) => new LegMarks(leg.id, leg),
  videoCodec: EncodableCodec = 'VP8',
): Promise<readonly NativePeer[]> {
  const clip = clipOfBytes([100, 250, 445, 477, 500]);
  const clips = [videoCodec === 'H264' ? inH264(clip) : clip];
  const sending = { clips, videoKbps: 500, lightVoice: true } as const;
  const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec, sending });
  for (let tries = 1; tries <= triesMost; tries += 1) {
    const peers = [legOf('1a', '1b'), legOf('1b', '1a')].map(
      (leg) => new NativePeer(leg, surroundings, () => undefined, { marks: marksOf(leg) }),
    );
    const ends = await callEnds(client);
    for (const [nth, peer] of peers.entries()) await joinNative(peer, client, ends[nth] ?? '');
    const connected = ends.map((end) => client.waitForEvent('MediaStateChanged', end));
    if ((await Promise.allSettled(connected)).every(({ status }) => status === 'fulfilled')) return peers;
    for (const peer of peers) peer.close();
  }
  throw new Error(`no call of ${triesMost} came up`);
}

/** Two endpoints, each of which gets what the other receives. */
export async function callEnds(client: TestClient): Promise<readonly [string, string]> {
  const pipeline = await client.create('MediaPipeline');
  const ends = [
    await client.create('WebRtcEndpoint', { mediaPipeline: pipeline }),
    await client.create('WebRtcEndpoint', { mediaPipeline: pipeline }),
  ] as const;
  await client.invoke(ends[0], 'connect', { sink: ends[1] });
  await client.invoke(ends[1], 'connect', { sink: ends[0] });
  return ends;
}
