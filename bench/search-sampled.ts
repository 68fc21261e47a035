/**
 * What foresight and screening do for the search, on simulated servers of which samples are seen and not verdicts alone. Prints the
 * table of docs/bench-search.md. Run with `npm run build && node dist/bench/search-sampled.js --workers 2`; takes some minutes of
 * two cores. `--servers N` searches fewer; words that the names of rows begin with choose rows.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  newWay,
  plainWay,
  qualityOfSampled,
  rampProbeSeconds,
  type SampledQuality,
  type SampledSearch,
  searchSampled,
  steadyWay,
} from './search/measure-sampled.js';
import { type SampledRow, sampledRows } from './search/sampled-server.js';
import { tableText } from './search/table-text.js';

/** Servers of one row, by their numbers. */
interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface Searched {
  readonly ours: readonly SampledSearch[];
  readonly steady: readonly SampledSearch[];
  readonly plain: readonly SampledSearch[];
  readonly ramp: readonly number[];
}

const header = [
  '',
  'servers',
  'truly stable',
  'even chance inside',
  'one step apart',
  'trials, plain',
  'trials',
  'time',
  'time, p95',
  'time at 2/s',
  'p95 at 2/s',
  'of the ramp',
  'of it at 2/s',
  'screened wrongly',
  'of',
];

function cells({ name }: SampledRow, { ours, steady, plain, ramp }: Searched): string[] {
  const quality: SampledQuality = qualityOfSampled(ours, plain, ramp);
  const slow = qualityOfSampled(steady, plain, ramp);
  const percent = (value: number) => `${value.toFixed(1)} %`;
  const { trials } = qualityOfSampled(plain, plain, ramp);
  return [
    name,
    String(ours.length),
    percent(quality.trulyStablePercent),
    percent(quality.insidePercent),
    percent(quality.oneStepApartPercent),
    trials.toFixed(1),
    quality.trials.toFixed(1),
    quality.timeRatio.toFixed(2),
    quality.timeRatio95.toFixed(2),
    slow.timeRatio.toFixed(2),
    slow.timeRatio95.toFixed(2),
    quality.probeMinutesOfRamp.toFixed(2),
    slow.probeMinutesOfRamp.toFixed(2),
    percent(quality.wronglyScreenedPercent),
    String(ours.reduce((sum, { screened }) => sum + screened, 0)),
  ];
}

function searchPart({ name, from, to }: Part): Searched {
  const row = sampledRows.find((one) => one.name === name);
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  if (!row) return { ours: [], steady: [], plain: [], ramp: [] };
  return {
    ours: numbers.map((number) => searchSampled(row, number, newWay)),
    steady: numbers.map((number) => searchSampled(row, number, steadyWay)),
    plain: numbers.map((number) => searchSampled(row, number, plainWay)),
    ramp: numbers.map((number) => rampProbeSeconds(row, number)),
  };
}

function inWorker(part: Part): Promise<Searched> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: part });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The same servers whatever the number of workers. */
async function searchRow({ name }: SampledRow, servers: number, workers: number): Promise<Searched> {
  if (workers <= 1) return searchPart({ name, from: 0, to: servers });
  const ends = Array.from({ length: workers + 1 }, (_, index) => Math.round((index * servers) / workers));
  const parts = await Promise.all(ends.slice(1).map((to, index) => inWorker({ name, from: ends[index] ?? 0, to })));
  return {
    ours: parts.flatMap(({ ours }) => ours),
    steady: parts.flatMap(({ steady }) => steady),
    plain: parts.flatMap(({ plain }) => plain),
    ramp: parts.flatMap(({ ramp }) => ramp),
  };
}

async function printTable(words: readonly string[]): Promise<void> {
  const flag = (name: string, otherwise: number) => {
    const at = words.indexOf(name);
    return at < 0 ? otherwise : Number(words[at + 1]);
  };
  const wanted = words.filter((word, index) => !word.startsWith('--') && !words[index - 1]?.startsWith('--'));
  const chosen = sampledRows.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
  const rows: string[][] = [];
  for (const row of chosen) rows.push(cells(row, await searchRow(row, flag('--servers', 4000), flag('--workers', 1))));
  console.log(tableText(header, rows));
}

if (isMainThread) await printTable(process.argv.slice(2));
else parentPort?.postMessage(searchPart(workerData));
