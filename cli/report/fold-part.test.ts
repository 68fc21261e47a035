import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { CurveFold } from '../../report/data/curve-fold.js';
import { foldPart } from './fold-part.js';
import { foldApart } from './write-html.js';

const probes = Array.from({ length: 11 }, (_, nth) => `${nth}a`);
const asked = new Map([['3a\u00003a\u0000video\u0000', 'low' as const]]);
const order = { probes, streams: [], asked, span: { fromMs: 0, toMs: 8000, zeroMs: 0, binMs: 2000 } };

const sample = (probe: string, nth: number, second: number): Sample => ({
  ...{ probe, host: nth % 2 === 0 ? 'one' : 'two', atMs: (second + 1) * 1000, intervalMs: 1000, lateMs: nth + second },
  legs: [{ leg: probe, connectionState: 'connected', rttMs: 3 + nth }],
  streams: [
    {
      ...{ leg: probe, direction: 'receive', kind: 'video' },
      metrics: { bytesReceived: 1000 * nth + second, packetsReceived: 90, packetsLost: nth, framesDecoded: 25 },
    },
  ],
});

async function withFile(act: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-fold-test-'));
  const samples = Array.from({ length: 8 }, (_, second) =>
    probes.map((probe, nth) => sample(probe, nth, second)),
  ).flat();
  const lines = samples.map((one) => JSON.stringify(one));
  const path = join(folder, 'trial-001.jsonl.gz');
  await writeFile(path, gzipSync(`${lines.join('\n')}\n`));
  await act(path).finally(() => rm(folder, { recursive: true }));
}

test('what several threads fold is what one does, each probe in one part', () =>
  withFile(async (path) => {
    const whole = await foldPart({ path, order, nth: 0, of: 1 });
    const parts = await Promise.all([0, 1, 2].map((nth) => foldPart({ path, order, nth, of: 3 })));
    const together = new CurveFold(order);
    for (const part of parts) together.addFolded(part);
    const { sums, lags, layers } = together.folded();
    expect(sums).toEqual(whole.sums);
    expect(lags).toEqual(whole.lags);
    expect(layers).toEqual(whole.layers);
    expect(layers.under.some((sum) => sum > 0)).toBe(true);
    expect(parts.map(({ digest }) => digest)).toEqual([whole.digest, undefined, undefined]);
    for (const { sums: own } of parts) expect(own.under.some((sum) => sum > 0)).toBe(true);
    expect(sums.under.filter((sum) => sum > 0).length).toBe(probes.length * 4 * 4);
  }));

test('a torn file, a small one and a thread that does not start leave the work to who visits the samples', () =>
  withFile(async (path) => {
    const run = { samplesAt: () => ({ path }) };
    const script = '/nonexistent/report-worker.js';
    expect(await foldApart({ run, script, threads: 2 })(1, order)).toBeUndefined();
    expect(await foldApart({ run, script, threads: 2, worthwhileBytes: 1 })(1, order)).toBeUndefined();
    await truncate(path, 60);
    await expect(foldPart({ path, order, nth: 0, of: 2 })).rejects.toThrow('is not whole');
  }));

/** The second never ends by itself. */
const unequal = `
  import { workerData } from 'node:worker_threads';
  if (workerData.nth === 0) throw new Error('torn');
  setInterval(() => undefined, 60_000);
`;

test('when one thread fails, the others fold no further', () =>
  withFile(async (path) => {
    const script = join(dirname(path), 'unequal.mjs');
    await writeFile(script, unequal);
    const run = { samplesAt: () => ({ path }) };
    const workers: Worker[] = [];
    const keep = (worker: Worker) => void workers.push(worker);
    process.on('worker', keep);
    expect(await foldApart({ run, script, threads: 2, worthwhileBytes: 1 })(1, order)).toBeUndefined();
    process.off('worker', keep);
    // The id of a thread that is over.
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1, -1]);
  }));
