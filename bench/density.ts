/**
 * What a probe costs: CPU and memory (PSS, not RSS) of the browsers' process trees in 1:1 calls on the embedded server,
 * without a limit, for full, encoded and mixed probes in several layouts, and of native probes and their processes, in
 * one run. Usage: node dist/bench/density.js [ROW,ROW,...] [SECONDS], a row being KIND:CALLS:PROBES_PER_PAGE, for
 * example encoded:20:16; native probes have no page, and the last number of theirs is not used. Rows with a + between
 * them are played at the same time, each on a server of its own, so that what the machine does to one it does to the
 * other. Needs a quiet machine.
 */
import { cpus } from 'node:os';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readTreesPss } from '../host/process-memory.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { onCallStage } from './stage/call-stage.js';
import { idleBrowser } from './stage/idle-browser.js';
import { Meeting } from './stage/meeting.js';
import { numberAt } from './stage/number-at.js';
import { onOwnServer } from './stage/own-server.js';
import { playedBy } from './stage/played-by.js';
import { mean, metric, perSecond, settleMs, type Watched, watchFor } from './stage/readings.js';

/** A host busier than this starves the probes: they then use less than they need, and the row says nothing. */
const fullShare = 0.9;
const kinds = ['full', 'encoded', 'mixed', 'native'] as const;
/** Of mixed probes. */
const sentinels = 0.1;
const pagesPerBrowser = 4;

const usualRows = [
  'full:1:1',
  'full:2:1',
  'full:3:4',
  'full:3:8',
  'full:4:16',
  'encoded:1:1',
  'encoded:3:8',
  'encoded:4:16',
  'encoded:8:1',
  'encoded:8:4',
  'encoded:8:8',
  'encoded:8:16',
  'encoded:15:50',
  'encoded:20:16',
  'encoded:20:50',
  'mixed:10:50',
  'native:3:1',
  'native:15:1',
  'native:40:1',
];

interface Row {
  readonly kind: (typeof kinds)[number];
  readonly calls: number;
  readonly probesPerPage: number;
}

function readRow(text: string): Row {
  const [kind, calls, probesPerPage] = text.split(':');
  const known = kinds.find((one) => one === kind);
  if (!known || !Number(calls) || !Number(probesPerPage)) throw new Error(`a row is KIND:CALLS:PER_PAGE, not ${text}`);
  return { kind: known, calls: Number(calls), probesPerPage: Number(probesPerPage) };
}

interface Point extends Row, Watched {
  readonly probes: number;
  readonly up: number;
}

const rowPlayedBy = { ...playedBy, mixed: { players: { kind: 'encoded', fullShare: sentinels } } } as const;

const isNativeProcess = (word: string): boolean => word.endsWith('native-worker.js');

/** Joins the calls, waits until each costs what it goes on to cost, then measures for `seconds`. */
async function measureRow(chromiumPath: string, row: Row, seconds: number, meeting: Meeting): Promise<Point> {
  const { calls, probesPerPage } = row;
  const options = { chromiumPath, scenario: oneToOne, size: calls, probesPerPage, pagesPerBrowser };
  const played = onOwnServer({ onJanus: false, videoKbps: 500 }, (server) =>
    onCallStage({ ...options, server, ...rowPlayedBy[row.kind] }, async (stage) => {
      await meeting.come();
      await sleep(settleMs);
      const watched = await watchFor(seconds, stage);
      const up = stage.records().filter((record) => record.up && record.failures.length === 0).length;
      const pssMb = row.kind === 'native' ? await readTreesPss(isNativeProcess) : watched.pssMb;
      return { ...row, ...watched, pssMb, probes: stage.probes, up };
    }),
  );
  return played.catch((error: unknown) => {
    meeting.failed(error);
    throw error;
  });
}

/** Rows that are played at the same time. */
function readRows(text: string): readonly Row[] {
  const rows = text.split('+').map(readRow);
  if (rows.filter(({ kind }) => kind === 'native').length > 1)
    throw new Error(`${text}: the memory of native probes is told of all of them together; one such row at a time`);
  return rows;
}

const columns: readonly (readonly [string, (point: Point, first: Point) => string])[] = [
  ['probes', ({ kind, probes, up }) => `${probes === up ? probes : `${up} of ${probes}`} ${kind}`],
  ['per page', ({ kind, probesPerPage }) => (kind === 'native' ? '–' : String(probesPerPage))],
  ['cores', (point) => coresOf(point).toFixed(2)],
  ['cores/probe', (point) => (coresOf(point) / point.probes).toFixed(4)],
  ['ratio', (point, first) => (coresOf(point) / point.probes / (coresOf(first) / first.probes)).toFixed(2)],
  ['PSS MiB', ({ pssMb }) => pssMb.toFixed(0)],
  ['MiB/probe', ({ pssMb, probes }) => (pssMb / probes).toFixed(1)],
  ['server cores/probe', (point) => serverCores(point).toFixed(4)],
  ['sent kbit/s', ({ samples }) => ((perSecond(samples, metric('send', 'video', 'bytesSent')) * 8) / 1000).toFixed(0)],
  ['sent fps', ({ samples }) => perSecond(samples, metric('send', 'video', 'framesSent')).toFixed(1)],
  ['received fps', ({ samples }) => perSecond(samples, metric('receive', 'video', 'framesDecoded')).toFixed(1)],
  ['lost', ({ samples }) => perSecond(samples, metric('receive', 'video', 'packetsLost')).toFixed(2)],
  ['host busy cores', (point) => `${busyCores(point).toFixed(2)}${isFull(point) ? ' (full: no figure)' : ''}`],
  ['latest ms', ({ samples }) => Math.max(0, ...samples.map(({ lateMs }) => lateMs)).toFixed(0)],
];

const coresOf = ({ host }: Point): number => mean(host.map(({ probeCores }) => probeCores));
const busyCores = ({ host }: Point): number => mean(host.map((reading) => reading.busyCores));
const serverCores = ({ server, probes }: Point): number =>
  mean(server.flatMap(({ cpuCores }) => cpuCores ?? [])) / probes;
const isFull = (point: Point): boolean => busyCores(point) > fullShare * cpus().length;

const steps = (argv[2] || usualRows.join(',')).split(',').map(readRows);
const seconds = numberAt(3, 'SECONDS', 10);
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
console.log(`Chromium ${found.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}, ${seconds} s per row\n`);
const idle = await idleBrowser(found.path, fileURLToPath(new URL('../page.js', import.meta.url)), seconds);
console.log(`A browser with one page and no probe: ${idle.cores.toFixed(3)} cores, ${idle.pssMb.toFixed(0)} MiB\n`);
console.log(`| ${columns.map(([name]) => name).join(' | ')} |`);
console.log(`|${'---|'.repeat(columns.length)}`);
let first: Point | undefined;
for (const rows of steps) {
  const meeting = new Meeting(rows.length);
  const points = await Promise.all(rows.map((row) => measureRow(found.path, row, seconds, meeting)));
  for (const point of points) {
    const base = first ?? point;
    first = base;
    console.log(`| ${columns.map(([, cell]) => cell(point, base)).join(' | ')} |`);
  }
}
