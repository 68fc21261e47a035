/**
 * What the search says of servers that are not tidy: unlucky, soft, odd, or getting worse. Prints its tables of
 * docs/lab/search.md. Run with `npm run build && node dist/bench/search-hostile.js --workers 2`; takes some minutes
 * of two cores. Words that the names of rows begin with choose rows; without `--workers` it takes one core.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { crowdRows } from './search/crowd-server.js';
import { disturbedRows, type HostileRow, hostileRows, wideRows } from './search/hostile-server.js';
import { inWorker } from './search/in-worker.js';
import { type HostileQuality, type HostileSearch, qualityOf, searchServers } from './search/measure-hostile.js';
import { tableText } from './search/table-text.js';

/** Servers of one row, by their numbers. */
interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const header = [
  '',
  'false headlines',
  'truly stable',
  'named drifting',
  'no sure answer',
  'trials, mean',
  'p95',
  'most',
];

function cells(name: string, quality: HostileQuality): string[] {
  const percent = (value: number) => `${value.toFixed(2)} %`;
  return [
    name,
    percent(quality.falsePercent),
    percent(quality.trulyStablePercent),
    percent(quality.driftingPercent),
    percent(quality.unansweredPercent),
    quality.trials.toFixed(1),
    String(quality.trials95),
    String(quality.mostTrials),
  ];
}

/** Of large crowds it is told, too, how much of the limit is found. */
const crowdHeader = [...header, 'of the true limit', 'its p10'];

function crowdCells(name: string, quality: HostileQuality): string[] {
  return [...cells(name, quality), quality.ofTrue.toFixed(2), quality.ofTrue10.toFixed(2)];
}

function searchPart({ name, from, to }: Part): HostileSearch[] {
  const row = [...hostileRows, ...wideRows, ...disturbedRows, ...crowdRows].find((one) => one.name === name);
  return row ? searchServers(row, from, to) : [];
}

/** The same servers whatever the number of workers. */
async function searchRow({ name, servers }: HostileRow, workers: number): Promise<HostileQuality> {
  if (workers <= 1) return qualityOf(searchPart({ name, from: 0, to: servers }));
  const ends = Array.from({ length: workers + 1 }, (_, index) => Math.round((index * servers) / workers));
  const parts = ends.slice(1).map((to, index) => ({ name, from: ends[index] ?? 0, to }));
  return qualityOf((await Promise.all(parts.map((part) => inWorker<HostileSearch[]>(import.meta.url, part)))).flat());
}

async function printTable(words: readonly string[]): Promise<void> {
  const flag = words.indexOf('--workers');
  const workers = flag < 0 ? 1 : Number(words[flag + 1]);
  const wanted = flag < 0 ? words : words.toSpliced(flag, 2);
  const isChosen = ({ name }: HostileRow) => wanted.length === 0 || wanted.some((word) => name.startsWith(word));
  for (const all of [hostileRows, wideRows, disturbedRows, crowdRows]) {
    const [head, told] = all === crowdRows ? [crowdHeader, crowdCells] : [header, cells];
    const rows: string[][] = [];
    for (const row of all.filter(isChosen)) rows.push(told(row.name, await searchRow(row, workers)));
    if (rows.length > 0) console.log(tableText(head, rows));
  }
}

if (isMainThread) await printTable(process.argv.slice(2));
else parentPort?.postMessage(searchPart(workerData));
