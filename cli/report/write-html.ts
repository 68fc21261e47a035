import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { writeWholeFile } from '../../host/whole-file.js';
import { given } from '../../model/given.js';
import { buildReport, type ReportAssets } from '../../report/build-report.js';
import type { Folded, FoldOrder } from '../../report/data/curve-fold.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { runBefore } from '../wiring/last-run.js';
import { finishedRun } from './finished-run.js';
import type { FoldPart, PartFolded } from './fold-part.js';

/** The page's script and style lie beside the build. */
export async function builtAssets(): Promise<ReportAssets> {
  return { script: await builtFile('report.js'), style: await builtFile('report-style.css') };
}

/** What works the page of many runs. */
export const runsScript = () => builtFile('runs.js');

const builtFile = (name: string) => readFile(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

/** Writes the HTML report of a stored run: a whole file or none. */
export async function writeHtmlReport(stored: StoredRun, path: string, assets?: ReportAssets): Promise<void> {
  const parts = await buildReport({
    run: finishedRun(stored),
    warnings: stored.warnings,
    source: { ...stored, foldApart: foldApart({ run: stored }) },
    assets: assets ?? (await builtAssets()),
    ...given({ before: await beforeThis(stored, path) }),
  });
  await writeWholeFile(path, parts);
}

async function beforeThis(stored: StoredRun, path: string) {
  const run = await runBefore(stored);
  if (!run) return undefined;
  const report = join(run.runDirectory, 'report.html');
  const href = existsSync(report)
    ? relative(dirname(path), report).split(sep).map(encodeURIComponent).join('/')
    : undefined;
  return { run, ...given({ href }) };
}

/** Compressed; below it threads take longer to start than they save. */
const worthwhileBytes = 30_000_000;
/** Each reads the whole file, and parses its share alone. */
const mostThreads = 4;

interface FoldApartOptions {
  readonly run: Pick<StoredRun, 'samplesAt'>;
  /** Absolute path of the bundled worker; left out: beside the bundle that runs. */
  readonly script?: string;
  readonly worthwhileBytes?: number;
  readonly threads?: number;
}

/**
 * Folds the samples of a large trial by several threads. Resolves with nothing for small ones, on one core, and
 * whenever anything is not as it should be: who then visits the samples finds what it is and says so.
 */
export function foldApart(options: FoldApartOptions) {
  const { run, script = fileURLToPath(new URL('report-worker.js', import.meta.url)) } = options;
  const threads = options.threads ?? Math.min(mostThreads, availableParallelism());
  const fewestBytes = options.worthwhileBytes ?? worthwhileBytes;
  return async (trialIndex: number, order: FoldOrder): Promise<readonly Folded[] | undefined> => {
    const { path, digest } = run.samplesAt(trialIndex);
    const { size = 0 } = (await stat(path).catch(() => undefined)) ?? {};
    if (threads < 2 || size < fewestBytes) return undefined;
    const parts = Array.from({ length: threads }, (_, nth) => ({ path, order, nth, of: threads }));
    const folded = await allFolded(script, parts).catch(() => undefined);
    return digest === undefined || folded?.[0]?.digest === digest ? folded : undefined;
  };
}

/** Rejects as the first of them that fails, and then no thread goes on: nobody would read what it folds. */
async function allFolded(script: string, parts: readonly FoldPart[]): Promise<readonly PartFolded[]> {
  const workers = parts.map((part) => new Worker(script, { workerData: part }));
  try {
    return await Promise.all(workers.map(foldedBy));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function foldedBy(worker: Worker): Promise<PartFolded> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('it ended before it was done')));
  });
}
