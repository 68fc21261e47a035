import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import type { ReceiveStreamSample, Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent } from '../../model/trial.js';
import { bundleNativeWorker } from '../../tests/bundled-scripts.js';
import { startLoopbackServer } from '../../tests/loopback-server.js';
import { soon } from '../../tests/soon.js';
import { findChromium } from '../chromium/find-chromium.js';
import { startNativeFleet } from './native-player.js';

const viewer = (number: number): Participant => {
  const id = `1v${number}`;
  const leg = { id, sends: [], receives: ['audio', 'video'], from: { participant: '1p' } } as const;
  return { id, session: '1', role: 'viewer', legs: [leg] };
};
const frames = ({ metrics }: ReceiveStreamSample) => metrics.framesDecoded ?? 0;

test('native viewers of a real Chromium come up, are read each second, count every frame, and notice when it hangs up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-native-'));
  const workerScript = await bundleNativeWorker(join(folder, 'native-worker.cjs'));
  const chromiumPath = (await findChromium({ env }))?.path ?? '';
  const server = await startLoopbackServer({ chromiumPath });
  const samples: Sample[] = [];
  const events: FleetEvent[] = [];
  const fleet = startNativeFleet(
    { chromiumPath, media: mediaSchema.parse({}), probesPerPage: 4, pagesPerBrowser: 4, workerScript },
    { onSamples: (batch) => samples.push(...batch), onEvent: (event) => events.push(event) },
  );
  try {
    await fleet.join([viewer(1), viewer(2)], {
      pacePerSecond: 10,
      deadlineMs: 15_000,
      negotiate: server.negotiate,
      signal: new AbortController().signal,
    });
    expect(fleet.records().map(({ up, native, failures }) => ({ up, native, failures }))).toEqual(
      [1, 2].map(() => ({ up: true, native: true, failures: [] })),
    );
    const videos = () =>
      samples
        .filter(({ probe }) => probe === '1v1')
        .flatMap(({ streams }) =>
          streams.filter((stream) => stream.direction === 'receive' && stream.kind === 'video'),
        );
    await soon(() => videos().length, { timeout: 10_000 }).toBeGreaterThan(4);
    const settled = videos().slice(2) as ReceiveStreamSample[];
    expect(settled.map(({ metrics }) => metrics.packetsLost)).toEqual(settled.map(() => 0));
    expect(Math.min(...settled.map(frames))).toBeGreaterThan(5);
    expect(settled.at(-1)?.metrics).toMatchObject({ frameWidth: expect.any(Number), jitterMs: expect.any(Number) });
    expect(settled.at(-1)?.metrics).not.toHaveProperty('jitterBufferMs');
    const [reading] = await fleet.readHosts();
    expect(reading).toMatchObject({ socketDrops: 0 });
    // CPU time is counted in ticks of 10 ms, and one reading of 200 ms may see none.
    const probeCores = async () => (await fleet.readHosts())[0]?.probeCores;
    await soon(probeCores, { timeout: 5000 }).toBeGreaterThan(0);
    await server.hangUp('1v2');
    await soon(() => events.find(({ type }) => type === 'probe-failed'), { timeout: 10_000 }).toMatchObject({
      failure: { probe: '1v2', code: 'disconnected' },
    });
  } finally {
    await fleet.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
