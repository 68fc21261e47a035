/**
 * Whether encoded or native probes see what full ones see: a broadcast whose viewers are half full, half of the other
 * kind, so that both receive the same stream, with LOSS percent of the media lost each way, or over a link of so many
 * kbit/s to each viewer ("400kbit"), to whose estimates of it the server holds the presenter. Usage: node
 * dist/bench/receivers.js [VIEWERS [SECONDS [LOSS [native]]]]. Needs a quiet machine; of native probes eight viewers at
 * least.
 */
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedServer } from '../embedded-server/server.js';
import type { Sample } from '../model/sample.js';
import type { ProbeRecord } from '../model/trial.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import type { StartFleet } from '../probes/fleet.js';
import { castBy, mixedFleets } from '../probes/mixed-fleet.js';
import { startNativeFleet } from '../probes/native/native-player.js';
import { broadcast } from '../scenarios/broadcast.js';
import { KurentoServer } from '../server-setup/kurento/kurento-server.js';
import { onCallStage } from './stage/call-stage.js';
import { type Figures, printComparison } from './stage/comparison.js';
import { lossyLink } from './stage/lossy-link.js';
import { narrowLink } from './stage/narrow-link.js';
import { numberAt } from './stage/number-at.js';
import { firstFrames, gauge, mean, metric, perSecond } from './stage/readings.js';

const settleMs = 10_000;

function figures(samples: readonly Sample[], records: readonly ProbeRecord[]): Figures {
  const video = (name: string): number => perSecond(samples, metric('receive', 'video', name));
  const audio = (name: string): number => perSecond(samples, metric('receive', 'audio', name));
  return {
    viewers: records.length,
    'frames decoded/s': video('framesDecoded'),
    'freezes/min': 60 * video('freezes'),
    'frozen, ms/min': 60 * video('freezeMs'),
    'frames dropped/min': 60 * video('framesDropped'),
    'video received, kbit/s': (video('bytesReceived') * 8) / 1000,
    'video packets lost/s': video('packetsLost'),
    'packets asked for again/s': video('nacksSent'),
    'key frames asked for/min': 60 * video('plisSent'),
    'video packets/s': video('packetsReceived'),
    'packets sent again/s': video('resentPacketsReceived'),
    'video jitter, ms': gauge(samples, 'video', 'jitterMs'),
    'audio jitter, ms': gauge(samples, 'audio', 'jitterMs'),
    'audio packets/s': audio('packetsReceived'),
    'audio packets lost/s': audio('packetsLost'),
    'video jitter buffer, ms': gauge(samples, 'video', 'jitterBufferMs'),
    'audio jitter buffer, ms': gauge(samples, 'audio', 'jitterBufferMs'),
    'concealed samples/s': audio('concealedSamples'),
    'time to first frame, ms, mean': mean(firstFrames(records)),
  };
}

const isNative = argv[5] === 'native';
const [size, seconds] = [numberAt(2, 'VIEWERS', 6), numberAt(3, 'SECONDS', 60)];
const kbps = Number(/^(\d+)kbit$/.exec(argv[4] ?? '')?.[1] ?? 0);
const lossPercent = kbps ? 0 : numberAt(4, 'LOSS', 2, 0);
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
const way = kbps ? `${kbps} kbit/s to each viewer` : `${lossPercent} % lost each way`;
console.log(`Chromium ${found.version}, ${size} viewers, ${seconds} s, ${way}\n`);
const narrow = kbps ? narrowLink() : undefined;
const link = narrow ?? lossyLink(lossPercent / 100, 1);
const embedded = await startEmbeddedServer({ port: 0, followEstimates: narrow !== undefined });
const server = new KurentoServer({ url: embedded.url });
try {
  const stage = { chromiumPath: found.path, server, scenario: broadcast, size, probesPerPage: 8, pagesPerBrowser: 4 };
  const half = isNative
    ? {
        through: (start: StartFleet) =>
          mixedFleets(
            { browsers: start, native: startNativeFleet },
            castBy({ kind: 'native', sentinels: Math.ceil(size / 2) }),
          ),
      }
    : { players: { kind: 'encoded', fullShare: 0.5 } as const };
  await onCallStage({ ...stage, ...half }, async ({ records: recordsNow, samples }) => {
    await sleep(settleMs);
    if (narrow) {
      narrow.limit(kbps * 1000);
      await sleep(settleMs);
    }
    const from = samples.length;
    await sleep(seconds * 1000);
    const watched = samples.slice(from);
    const viewers = recordsNow().filter(({ participant }) => participant.role === 'viewer');
    const figuresOf = (isOther: boolean): Figures => {
      const records = viewers.filter(({ encoded, native }) => (encoded ?? native ?? false) === isOther);
      const ids = new Set(records.map(({ participant }) => participant.id));
      return figures(
        watched.filter(({ probe }) => ids.has(probe)),
        records,
      );
    };
    printComparison('per viewer', figuresOf(false), figuresOf(true), isNative ? 'native' : 'encoded');
  });
} finally {
  await server.stop();
  await embedded.close();
  link.close();
}
