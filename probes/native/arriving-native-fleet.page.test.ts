import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { expect } from '@playwright/test';
import { come, timesOf } from '../../tests/arrivals/come-to-server.js';
import { bundleNativeWorker } from '../../tests/bundled-scripts.js';
import { long } from '../../tests/effort.js';
import { test } from '../../tests/fleet-stage.js';
import { startNativeFleet } from './native-player.js';

test(
  'native calls come and go in a process that plays them one after the other: each is measured each second to its end, and nothing of them stays on the server',
  long,
  async ({ probes }) => {
    const workerScript = await bundleNativeWorker(join(tmpdir(), `loadline-arriving-${pid}.cjs`));
    try {
      await probes.withFleet(
        { workerScript },
        async (stage) => {
          const load = { calls: 6, everyMs: 800, holdMs: 4000, atOnce: 12 };
          const { joins, stays, reset } = await come(stage, load);
          expect(joins.flatMap(({ failure }) => failure ?? [])).toEqual([]);
          expect(joins).toHaveLength(12);
          for (const one of joins) {
            const times = timesOf(one);
            expect(times).toEqual([...times].sort((a, b) => (a ?? Number.NaN) - (b ?? Number.NaN)));
            expect(one.servedMs).toBeGreaterThan(0);
          }
          expect(stays.flatMap(({ failure }) => failure ?? [])).toEqual([]);
          expect(stays).toHaveLength(6);
          const records = stage.fleet.records();
          expect(records.map(({ native, up, failures }) => [native, up, failures.length])).toEqual(
            records.map(() => [true, true, 0]),
          );
          for (const { participant, there } of records) {
            expect((there?.untilMs ?? 0) - (there?.fromMs ?? 0)).toBeGreaterThan(3000);
            const own = stage.samples.filter(({ probe }) => probe === participant.id);
            // Whoever comes and leaves meanwhile, each is read once a second.
            const apartMs = own.slice(1).map(({ intervalMs }) => intervalMs);
            expect(apartMs.filter((ms) => ms < 700 || ms > 1300)).toEqual([]);
            expect(own.length).toBeGreaterThanOrEqual(3);
            const frames = own
              .filter(({ atMs }) => atMs > (there?.fromMs ?? 0) + 1500)
              .flatMap(({ streams }) =>
                streams.flatMap((one) => (one.direction === 'receive' && one.kind === 'video' ? one.metrics : [])),
              );
            expect(Math.min(...frames.map(({ framesDecoded = 0 }) => framesDecoded))).toBeGreaterThan(10);
            expect(Math.max(...own.map(({ atMs }) => atMs))).toBeLessThanOrEqual((there?.untilMs ?? 0) + 200);
          }
          const [reading] = await stage.fleet.readHosts();
          expect(reading).toMatchObject({ socketDrops: 0 });
          expect(reset).toMatchObject({ released: 0, foreign: 0 });
        },
        startNativeFleet,
      );
    } finally {
      await rm(workerScript, { force: true });
    }
  },
);
