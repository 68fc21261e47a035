/**
 * What foresight and screening do for the search, on simulated servers of which samples are seen and not verdicts
 * alone. Prints the table of docs/lab/search.md. Run with `npm run build && node dist/bench/search-sampled.js
 * --workers 2`; takes some minutes of two cores. `--servers N` searches fewer, and `--compared N` of them in other
 * ways, too; words that the names of rows begin with choose rows.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { inWorker } from './search/in-worker.js';
import {
  newWay,
  plainWay,
  qualityOfSampled,
  type SampledSearch,
  searchSampled,
  steadyWay,
  timeRatios,
  total,
} from './search/measure-sampled.js';
import { type RampCosts, rampCosts } from './search/ramp-costs.js';
import { type SampledRow, sampledRows } from './search/sampled-server.js';
import { tableText } from './search/table-text.js';

/** Servers of one row, by their numbers; those below `compared` are searched in other ways, too. */
interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly compared: number;
}

interface Searched {
  readonly ours: readonly SampledSearch[];
  readonly steady: readonly SampledSearch[];
  readonly plain: readonly SampledSearch[];
  readonly ramp: readonly RampCosts[];
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
  'of it at the limit',
  'time at 2/s',
  'p95 at 2/s',
  'of the ramp',
  'of a sure ramp',
  'screened wrongly',
  'of',
];

function cells({ name }: SampledRow, { ours, steady, plain, ramp }: Searched): string[] {
  const quality = qualityOfSampled(ours);
  const both = ours.slice(0, plain.length);
  const [fast, slow] = [timeRatios(both, plain), timeRatios(steady, plain)];
  const probeSeconds = total(both, (one) => one.probeSeconds);
  const ofRamp = (what: (costs: RampCosts) => number) => (probeSeconds / total(ramp, what)).toFixed(2);
  return [
    name,
    count(ours.length),
    percent(quality.trulyStablePercent),
    percent(quality.insidePercent),
    percent(quality.oneStepApartPercent),
    qualityOfSampled(plain).trials.toFixed(1),
    quality.trials.toFixed(1),
    fast.mean.toFixed(2),
    fast.p95.toFixed(2),
    fast.restsOn.toFixed(2),
    slow.mean.toFixed(2),
    slow.p95.toFixed(2),
    ofRamp(({ believed }) => believed),
    ofRamp(({ sure }) => sure),
    percent(quality.wronglyScreenedPercent),
    count(total(ours, ({ screened }) => screened)),
  ];
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(value: number): string {
  return `${value.toFixed(1)} %`;
}

function searchPart({ name, from, to, compared }: Part): Searched {
  const row = sampledRows.find((one) => one.name === name);
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  if (!row) return { ours: [], steady: [], plain: [], ramp: [] };
  const few = numbers.filter((number) => number < compared);
  return {
    ours: numbers.map((number) => searchSampled(row, number, newWay)),
    steady: few.map((number) => searchSampled(row, number, steadyWay)),
    plain: few.map((number) => searchSampled(row, number, plainWay)),
    ramp: few.map((number) => rampCosts(row, number)),
  };
}

/** The same servers whatever the number of workers. */
async function searchRow({ name }: SampledRow, servers: number, compared: number, workers: number): Promise<Searched> {
  if (workers <= 1) return searchPart({ name, from: 0, to: servers, compared });
  const ends = Array.from({ length: workers + 1 }, (_, index) => Math.round((index * servers) / workers));
  const parts = await Promise.all(
    ends
      .slice(1)
      .map((to, index) => inWorker<Searched>(import.meta.url, { name, from: ends[index] ?? 0, to, compared })),
  );
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
  const [servers, compared, workers] = [flag('--servers', 4000), flag('--compared', 400), flag('--workers', 1)];
  const rows: string[][] = [];
  for (const row of chosen) rows.push(cells(row, await searchRow(row, servers, compared, workers)));
  console.log(tableText(header, rows));
}

if (isMainThread) await printTable(process.argv.slice(2));
else parentPort?.postMessage(searchPart(workerData));
