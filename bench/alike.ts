/**
 * Whether a media server can tell encoded probes from full ones: the same calls with both kinds, one after the other,
 * and what came in at the server's sockets; and whether both kinds see the same, with LOSS percent of the media lost
 * each way. Usage: node dist/bench/alike.js [CALLS [SECONDS [LOSS]]]. Needs a quiet machine.
 */
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedServer } from '../embedded-server/server.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { KurentoServer } from '../server-setup/kurento/kurento-server.js';
import { type CallStage, onCallStage } from './stage/call-stage.js';
import { type Figures, printComparison } from './stage/comparison.js';
import { lossyLink } from './stage/lossy-link.js';
import { numberAt } from './stage/number-at.js';
import { firstFrames, gauge, mean, metric, percentile, perSecond } from './stage/readings.js';
import { type TappedStream, tapSockets, type WireTap } from './stage/wire-tap.js';

const settleMs = 15_000;
const probesPerPage = 8;
/** Video of 500 kbit/s has fewer than this many packets of an Opus stream's size. */
const videoBytes = 300;

interface Measurement {
  readonly calls: number;
  readonly seconds: number;
  readonly lossPercent: number;
}

async function measure(
  chromiumPath: string,
  encoded: boolean,
  { calls, seconds, lossPercent }: Measurement,
): Promise<Figures> {
  const tap = tapSockets();
  const link = lossPercent > 0 ? lossyLink(lossPercent / 100, 1) : undefined;
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = new KurentoServer({ url: embedded.url });
  try {
    const stage = { chromiumPath, server, scenario: oneToOne, size: calls, probesPerPage, pagesPerBrowser: 4 };
    return await onCallStage({ ...stage, ...(encoded ? { encoded: { fullShare: 0 } } : {}) }, async (on) => {
      await sleep(settleMs);
      tap.restart();
      const from = on.samples.length;
      await sleep(seconds * 1000);
      return figures(tap, on, from, seconds);
    });
  } finally {
    await server.stop();
    await embedded.close();
    tap.close();
    link?.close();
  }
}

function figures(tap: WireTap, on: CallStage, from: number, seconds: number): Figures {
  const { probes } = on;
  const samples = on.samples.slice(from);
  const streams = [...tap.rtp.values()];
  const [video, audio] = [streams.filter(isVideo), streams.filter((stream) => !isVideo(stream))];
  const kbps = (list: readonly TappedStream[]) =>
    list.reduce((sum, { sizes }) => sum + sizes.reduce((bytes, size) => bytes + size, 0), 0) / 125 / seconds / probes;
  const rate = (list: readonly TappedStream[]) =>
    list.reduce((sum, { sizes }) => sum + sizes.length, 0) / seconds / probes;
  const both = (direction: 'send' | 'receive', name: string) => perSecond(samples, metric(direction, 'video', name));
  const quartile = (list: readonly TappedStream[], share: number) => percentile(sizesOf(list), share);
  return {
    'video sent, kbit/s on the wire': kbps(video),
    'video sent, packets/s': rate(video),
    'video packet, quartile 1, bytes': quartile(video, 0.25),
    'video packet, median, bytes': quartile(video, 0.5),
    'video packet, quartile 3, bytes': quartile(video, 0.75),
    'audio sent, kbit/s on the wire': kbps(audio),
    'audio sent, packets/s': rate(audio),
    'audio packet, quartile 1, bytes': quartile(audio, 0.25),
    'audio packet, median, bytes': quartile(audio, 0.5),
    'audio packet, quartile 3, bytes': quartile(audio, 0.75),
    'RTCP, packets/s': tap.rtcpPackets() / seconds / probes,
    'RTCP, bytes/s': tap.rtcpBytes() / seconds / probes,
    'video frames sent/s': both('send', 'framesSent'),
    'key frames sent/min': 60 * both('send', 'keyFramesEncoded'),
    'video received, kbit/s': (both('receive', 'bytesReceived') * 8) / 1000,
    'video packets received/s': both('receive', 'packetsReceived'),
    'video frames decoded/s': both('receive', 'framesDecoded'),
    'video jitter buffer, ms': gauge(samples, 'video', 'jitterBufferMs'),
    'audio jitter buffer, ms': gauge(samples, 'audio', 'jitterBufferMs'),
    'video jitter, ms': gauge(samples, 'video', 'jitterMs'),
    'freezes/min': 60 * both('receive', 'freezes'),
    'frozen, ms/min': 60 * both('receive', 'freezeMs'),
    'packets asked for again/s': both('receive', 'nacksSent'),
    'packets sent again/s': both('send', 'packetsResent'),
    'time to first frame, ms, median': percentile(firstFrames(on.records()), 0.5),
  };
}

const isVideo = ({ sizes }: TappedStream): boolean => mean(sizes) > videoBytes;
const sizesOf = (list: readonly TappedStream[]): number[] => list.flatMap(({ sizes }) => sizes).sort((a, b) => a - b);

const [calls, seconds, lossPercent] = [numberAt(2, 'CALLS', 2), numberAt(3, 'SECONDS', 30), numberAt(4, 'LOSS', 0, 0)];
const measurement = { calls, seconds, lossPercent };
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
console.log(`Chromium ${found.version}, ${2 * calls} probes, ${seconds} s each, ${lossPercent} % lost each way\n`);
const full = await measure(found.path, false, measurement);
const encoded = await measure(found.path, true, measurement);
printComparison('per probe', full, encoded);
