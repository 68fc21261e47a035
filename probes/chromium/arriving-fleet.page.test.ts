import { readdirSync, readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { median } from '../../analysis/statistics/statistics.js';
import { come, timesOf } from '../../tests/arrivals/come-to-server.js';
import { ownChromiums, test } from '../../tests/fleet-stage.js';
import { startBrowserFleet } from './browser-player.js';

const startFleet = startBrowserFleet;
const isAsked = Number(process.env.LOADLINE_LEAK_TRIALS ?? 0) >= 200;

test('calls come and go on pages that they share: each is measured to its end, undisturbed, and nothing of them stays on the server', async ({
  probes,
}) => {
  await probes.withFleet(
    { probesPerPage: 4 },
    async (stage) => {
      const load = { calls: 5, everyMs: 1500, holdMs: 3000, atOnce: 6 };
      const { joins, stays, reset } = await come(stage, load);
      const records = stage.fleet.records();

      expect(joins.flatMap(({ failure }) => failure ?? [])).toEqual([]);
      expect(joins).toHaveLength(10);
      for (const join of joins) {
        const times = timesOf(join);
        expect(times).toEqual([...times].sort((a, b) => (a ?? Number.NaN) - (b ?? Number.NaN)));
        expect(join.servedMs).toBeGreaterThan(0);
      }
      expect(stays.flatMap(({ failure }) => failure ?? [])).toEqual([]);
      expect(stays).toHaveLength(5);
      expect(new Set(records.map(({ page }) => page))).toEqual(new Set([0, 1]));
      expect(records.flatMap(({ failures }) => failures)).toEqual([]);
      const stayedMs = records.map(({ there }) => (there?.untilMs ?? 0) - (there?.fromMs ?? 0));
      expect(Math.min(...stayedMs)).toBeGreaterThan(2000);
      // Whoever is on the page when another one leaves gets its frames as before.
      const { samples } = stage;
      const late = records.flatMap(({ participant: { id }, there }) =>
        samples.filter(({ probe, atMs }) => probe === id && atMs > (there?.fromMs ?? 0) + 1500),
      );
      expect(late.length).toBeGreaterThan(8);
      const still = late.filter(({ streams }) =>
        streams.some((one) => one.direction === 'receive' && one.kind === 'video' && !one.metrics.framesDecoded),
      );
      expect(still).toEqual([]);
      expect(reset).toMatchObject({ released: 0, foreign: 0 });
    },
    startFleet,
  );
});

test('1,000 participants who come and go on one set of pages leave memory and sockets as the first 200 did, and nobody on the server', async ({
  probes,
}) => {
  test.skip(!isAsked, 'part of `npm run leaks` alone: it takes minutes');
  test.setTimeout(600_000);
  await probes.withFleet(
    { probesPerPage: 8, encoded: { fullShare: 0 } },
    async (stage) => {
      const seen: { readonly renderersMb: number; readonly files: number; readonly toolFiles: number }[] = [];
      const look = async () => void seen.push(await takenBy(stage.temporaryRoot));
      const calls = 500;
      const load = { calls, everyMs: 500, holdMs: 2000, atOnce: 12, look };
      const { joins, stays, reset } = await come(stage, load);

      const words = JSON.stringify(seen.filter((_, nth) => nth % 10 === 9));
      expect(joins).toHaveLength(2 * calls);
      expect(joins.flatMap(({ failure }) => failure ?? [])).toEqual([]);
      expect(stays.flatMap(({ failure }) => failure ?? [])).toEqual([]);
      const fifth = Math.floor(seen.length / 5);
      const of = (name: keyof (typeof seen)[number], from: number, to: number) =>
        median(seen.slice(from, to).map((one) => one[name])) ?? Number.NaN;
      for (const [name, share, more] of [
        ['renderersMb', 1.15, 20],
        ['files', 1.1, 20],
        ['toolFiles', 1, 6],
      ] as const) {
        const [first, last] = [of(name, fifth, 2 * fifth), of(name, -fifth - 4, -4)];
        expect(last, `${name}: ${words}`).toBeLessThan(first * share + more);
      }
      expect(reset).toMatchObject({ released: 0, foreign: 0 });
    },
    startFleet,
  );
});

/** What the browsers of a stage hold now, and this process, which plays the server, too. */
async function takenBy(temporaryRoot: string) {
  const [all, renderers] = await Promise.all([ownChromiums(temporaryRoot), ownChromiums(temporaryRoot, 'renderer')]);
  const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { renderersMb: sum(renderers.map(ownMb)), files: sum(all.map(filesOf)), toolFiles: filesOf(process.pid) };
}

/** What is this process's alone and resident: pages of 4 kB (proc(5), statm). */
function ownMb(pid: number): number {
  const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
  return ((resident - shared) * 4096) / 1e6;
}
