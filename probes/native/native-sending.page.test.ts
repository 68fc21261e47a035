import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { ReceiveMetric, SendMetric } from '../../model/metric.js';
import type { Sample } from '../../model/sample.js';
import { bundleNativeWorker } from '../../tests/bundled-scripts.js';
import { long } from '../../tests/effort.js';
import { participant, pause, stream, test } from '../../tests/fleet-stage.js';
import { startNativeFleet } from './native-player.js';

/** The clip is encoded first. */
test.setTimeout(150_000);

const settleMs = 6_000;
const comparedMs = 5_000;

/** Of the samples of the last seconds, each metric by second. */
function ratesOf(samples: readonly Sample[], direction: 'send' | 'receive', kind: 'audio' | 'video') {
  const last = samples.slice(-Math.round(comparedMs / 1000));
  const seconds = last.reduce((sum, { intervalMs }) => sum + intervalMs, 0) / 1000;
  return (metric: SendMetric | ReceiveMetric): number =>
    last.reduce((sum, sample) => {
      const metrics = stream(sample, direction as 'send', kind).metrics as Record<string, number | undefined>;
      return sum + (metrics[metric] ?? Number.NaN);
    }, 0) / seconds;
}

const compared = [
  ['send', 'video', 'bytesSent'],
  ['send', 'video', 'packetsSent'],
  ['send', 'video', 'framesSent'],
  ['send', 'audio', 'packetsSent'],
  ['receive', 'video', 'framesDecoded'],
  ['receive', 'audio', 'packetsReceived'],
] as const;

test(
  'a full and a native probe with the same far end, a real Chromium: both are seen there, and count within a tenth of each other',
  long,
  async ({ probes }) => {
    const folder = await mkdtemp(join(tmpdir(), 'loadline-native-'));
    const workerScript = await bundleNativeWorker(join(folder, 'native-worker.cjs'));
    try {
      await probes.withServer({}, (server) =>
        probes.withFleet({}, (full) =>
          probes.withFleet(
            { workerScript },
            async (native) => {
              await full.join([participant('1a')], server.negotiate);
              await native.join([participant('1b')], server.negotiate);
              expect(native.fleet.records()).toMatchObject([{ up: true, failures: [], native: true }]);
              await pause(settleMs + comparedMs);
              const rates = compared.map(([direction, kind, metric]) =>
                [full, native].map(({ samples }) => ratesOf(samples, direction, kind)(metric)),
              );
              const apart = rates.map(([ofFull = 0, ofNative = 0]) => Math.abs(ofNative - ofFull) / ofFull);
              expect(
                apart.filter((share) => !(share <= 0.1)),
                JSON.stringify(rates),
              ).toEqual([]);
              // A real decoder takes it, and what it asks for comes.
              const before = await server.videoOf('1b');
              expect(before).toMatchObject({ frameWidth: 640, frameHeight: 360 });
              await server.askForKeyFrame('1b');
              await pause(1_500);
              const after = await server.videoOf('1b');
              expect(after.keyFramesDecoded).toBeGreaterThan(before.keyFramesDecoded);
              expect(after.pliCount - before.pliCount).toBeLessThanOrEqual(1);
              expect(after.framesDecoded - before.framesDecoded).toBeGreaterThan(30);
            },
            startNativeFleet,
          ),
        ),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
