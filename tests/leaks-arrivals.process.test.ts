import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { median } from '../analysis/statistics/statistics.js';
import { EmbeddedProcess, steadyHeapFlags } from '../server-setup/embedded/embedded-process.js';
import { realTrial } from './arrivals/real-trial.js';

const built = fileURLToPath(new URL('../dist/loadline.js', import.meta.url));
const isAsked = Number(process.env.LOADLINE_LEAK_TRIALS ?? 0) >= 200;
const { signal } = new AbortController();

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

test('1,000 calls that come and go one after the other leave the memory and the files of tool and server as the first 200 did', async () => {
  test.skip(!isAsked, 'part of `npm run leaks` alone: it takes a minute');
  test.setTimeout(180_000);
  const server = new EmbeddedProcess({ command: [process.execPath, ...steadyHeapFlags, built] });
  const started = await server.start(signal);
  const { pid = 0 } = started;
  const seen: { readonly serverMb: number; readonly serverFiles: number; readonly toolFiles: number }[] = [];
  const look = async () => {
    const { rssMb = Number.NaN } = (await server.resources?.()) ?? {};
    seen.push({ serverMb: rssMb, serverFiles: filesOf(pid), toolFiles: filesOf(process.pid) });
  };
  const timer = setInterval(() => void look().catch(() => undefined), 1000);
  try {
    const load = { scenario: 'one-to-one', size: 20, holdMs: 2000, measureMs: 48_000 };
    const { arrivals } = await realTrial({ server, started, ...load });
    clearInterval(timer);
    const words = JSON.stringify(seen.filter((_, nth) => nth % 10 === 9));
    expect(arrivals.due, words).toBe(2 * 20 * 48);
    expect(arrivals).toMatchObject({ failed: 0, leftBadly: 0 });
    const of = (name: keyof (typeof seen)[number], from: number, to?: number) =>
      median(seen.slice(from, to).map((one) => one[name])) ?? Number.NaN;
    expect(of('serverMb', -12, -4), words).toBeLessThan(of('serverMb', 8, 16) * 1.15 + 10);
    expect(of('serverFiles', -12, -4), words).toBeLessThan(of('serverFiles', 8, 16) * 1.1 + 10);
    expect(of('toolFiles', -12, -4), words).toBeLessThanOrEqual(of('toolFiles', 8, 16) + 4);
    expect(await server.reset(signal)).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
  } finally {
    clearInterval(timer);
    await server.stop();
  }
});
