/**
 * What a visited page of somebody's app costs, and which process and thread of the browser takes it: pages of the demos that come with
 * Janus, on a Janus of this machine. `node dist/bench/visit-page.js [SECONDS [ROUNDS [ROW …]]]`, a row being KIND:PAGES:WAY, for
 * example echo:1:out, room:3:painted:320x180@15 or echo:1:painted:--disable-gpu. Rows take turns in each round; threads are of the
 * first row. Needs a quiet machine, janus and janus-demos.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mediaSchema } from '../model/plan.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { launchFlags } from '../probes/chromium/launch-flags.js';
import { mediaFiles } from '../probes/chromium/media/media-files.js';
import { type OpenedBrowser, openBrowser } from '../probes/chromium/opened-browser.js';
import { readableClips } from '../probes/chromium/readable-clips.js';
import type { FrameReading } from '../probes/page/visit/wire.js';
import { loadJoinScript } from '../probes/visit/join-script.js';
import { contextOptions, VisitedPage } from '../probes/visit/visited-page.js';
import { serveJanusDemos } from '../tests/janus-demos.js';
import { realJanus } from '../tests/real-janus.js';
import { numberAt } from './stage/number-at.js';
import { mean } from './stage/readings.js';
import { coresBetween, type ThreadTimes, threadTimes } from './stage/thread-times.js';

const settleMs = 10_000;
const joinMs = 10_000;
const leastThread = 0.003;
const demos = {
  echo: { page: 'echotest.html', script: 'janus-echo.mjs' },
  room: { page: 'videoroomtest.html', script: 'janus-video-room.mjs' },
} as const;

const usualRows = ['echo:1:painted', 'echo:1:out', 'echo:3:painted', 'echo:3:out', 'room:3:painted', 'room:3:out'];

interface Row {
  readonly text: string;
  readonly kind: keyof typeof demos;
  readonly pages: number;
  /** Flags of Chromium, a camera, and "small" (drawn at a tenth), "dpr" (a device scale of a quarter) or "still" (reduced motion). */
  readonly words: readonly string[];
}

function readRow(text: string): Row {
  const [kind, pages, ...words] = text.split(':');
  if ((kind !== 'echo' && kind !== 'room') || !Number(pages)) throw new Error(`a row is KIND:PAGES:WAY, not ${text}`);
  return { text, kind, pages: Number(pages), words };
}

interface Stage {
  readonly chromiumPath: string;
  readonly cacheFolder: string;
  readonly observer: string;
  readonly origin: string;
}

interface Point {
  readonly threads: ThreadTimes;
  readonly readings: readonly FrameReading[];
}

async function measureRow(stage: Stage, row: Row, seconds: number): Promise<Point> {
  const [width, height, framesPerSecond] = row.words.flatMap(
    (word) => /^(\d+)x(\d+)@(\d+)$/.exec(word)?.slice(1) ?? [],
  );
  const media = mediaSchema.parse(
    width ? { width: Number(width), height: Number(height), framesPerSecond: Number(framesPerSecond) } : {},
  );
  const clips = await readableClips(await mediaFiles(stage.cacheFolder, media), stage.chromiumPath, tmpdir());
  const flags = [
    ...launchFlags(clips.files).map(({ flag }) => flag),
    ...row.words.filter((word) => word.startsWith('--')),
  ];
  const browser = await openBrowser({ chromiumPath: stage.chromiumPath, temporaryRoot: tmpdir(), flags });
  const readings: FrameReading[] = [];
  try {
    const session = `bench-${Math.random()}`;
    for (let nth = 0; nth < row.pages; nth += 1)
      await visit(stage, row, browser, { session, nth }, (one) => readings.push(one));
    await sleep(settleMs);
    const [from, before, beganMs] = [readings.length, await threadTimes(browser.life.roots), performance.now()];
    await sleep(seconds * 1000);
    const after = await threadTimes(browser.life.roots);
    const threads = coresBetween(before, after, (performance.now() - beganMs) / 1000);
    return { threads, readings: readings.slice(from).filter(({ isWhole }) => isWhole) };
  } finally {
    await browser.life.close();
    await clips.close();
  }
}

/** One participant joins. Throws when it does not. */
async function visit(
  { observer, origin }: Stage,
  { kind, pages, words }: Row,
  { context }: OpenedBrowser,
  { session, nth }: { readonly session: string; readonly nth: number },
  onReading: (reading: FrameReading) => void,
): Promise<void> {
  const own = await context.browser()?.newContext({
    ...contextOptions,
    ...(words.includes('dpr') ? { deviceScaleFactor: 0.25 } : {}),
    ...(words.includes('still') ? { reducedMotion: 'reduce' } : {}),
  });
  if (!own) throw new Error('the browser is gone');
  const visited = await VisitedPage.open({
    context: own,
    script: observer,
    settings: { phaseMs: (1000 * nth) / pages },
    painted: !words.includes('out'),
    clean: (text) => text,
    onReading: (reading) => {
      onReading(reading);
      return 'each-second';
    },
    onCrash: () => undefined,
  });
  const { page, script } = demos[kind];
  const joins = await loadJoinScript(fileURLToPath(new URL(`../../recipes/${script}`, import.meta.url)));
  const { signal } = new AbortController();
  const visitor = { session, participant: `1${nth}`, role: 'guest', index: nth, env: {}, signal };
  const failure = await visited.join({
    address: `${origin}/${page}`,
    script: joins,
    visit: visitor,
    deadlineMs: joinMs,
  });
  if (failure) throw new Error(failure.detail);
  if (words.includes('small')) await drawSmall(visited.page);
}

/** As device views of developer tools draw a page, which it does not observe. */
async function drawSmall(page: VisitedPage['page']): Promise<void> {
  const metrics = { ...contextOptions.viewport, deviceScaleFactor: 1, mobile: false };
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', { ...metrics, scale: 0.1 });
}

const total = ({ threads }: Point): number => [...threads.values()].reduce((sum, cores) => sum + cores, 0);

const ofProcess =
  (kind: string) =>
  (point: Point): number =>
    [...point.threads].reduce((sum, [key, cores]) => (key.startsWith(`${kind}/`) ? sum + cores : sum), 0);

/** The mean per stream and second. */
function rate({ readings }: Point, direction: 'send' | 'receive', name: string): number {
  const streams = readings.flatMap(({ connections }) => connections.flatMap((one) => one.streams));
  const video = streams.filter((one) => one.kind === 'video' && one.direction === direction);
  return mean(
    video.flatMap(({ sample }) => {
      const metrics: Readonly<Partial<Record<string, number>>> = sample?.metrics ?? {};
      return metrics[name] ?? [];
    }),
  );
}

const kinds = ['renderer', 'gpu-process', 'audio', 'network', 'video_capture', 'browser'] as const;

function printTable(rows: readonly Row[], points: ReadonlyMap<Row, readonly Point[]>): void {
  const columns = [
    'row',
    'cores a page',
    'in rounds',
    'ratio',
    ...kinds,
    'sent fps',
    'received fps',
    'received kbit/s',
  ];
  console.log(`\n| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
  const pageCores = (row: Row): number[] => (points.get(row) ?? []).map((point) => total(point) / row.pages);
  const [first] = rows;
  for (const row of rows) {
    const all = points.get(row) ?? [];
    const of = (value: (point: Point) => number): number => mean(all.map(value));
    const cells = [
      row.text,
      mean(pageCores(row)).toFixed(3),
      pageCores(row)
        .map((cores) => cores.toFixed(3))
        .join(', '),
      (mean(pageCores(row)) / mean(first ? pageCores(first) : [])).toFixed(2),
      ...kinds.map((kind) => (of(ofProcess(kind)) / row.pages).toFixed(3)),
      of((point) => rate(point, 'send', 'framesSent')).toFixed(1),
      of((point) => rate(point, 'receive', 'framesDecoded')).toFixed(1),
      of((point) => rate(point, 'receive', 'bytesReceived') / 125).toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function printThreads(row: Row, points: readonly Point[]): void {
  console.log(`\nThreads of ${row.text}, cores a page:\n`);
  const names = [...new Set(points.flatMap(({ threads }) => [...threads.keys()]))];
  const cores = names.map(
    (name) => [name, mean(points.map(({ threads }) => threads.get(name) ?? 0)) / row.pages] as const,
  );
  for (const [name, value] of cores.filter((one) => one[1] >= leastThread).sort((a, b) => b[1] - a[1]))
    console.log(`${value.toFixed(3)}  ${name}`);
}

const [seconds, rounds] = [numberAt(2, 'SECONDS', 15), numberAt(3, 'ROUNDS', 2)];
const rows = (argv.length > 4 ? argv.slice(4) : usualRows).map(readRow);
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
const janus = await realJanus();
const site = await serveJanusDemos(janus.httpUrl);
try {
  console.log(
    `Chromium ${found.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}, ${rounds} rounds of ${seconds} s`,
  );
  const observer = await readFile(fileURLToPath(new URL('../visit.js', import.meta.url)), 'utf8');
  const stage = { chromiumPath: found.path, cacheFolder: join(folder, 'cache'), observer, origin: site.origin };
  const points = new Map<Row, Point[]>(rows.map((row) => [row, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const row of rows) points.get(row)?.push(await measureRow(stage, row, seconds));
  printTable(rows, points);
  const [first] = rows;
  if (first) printThreads(first, points.get(first) ?? []);
} finally {
  await site.close();
  await janus.close();
  await rm(folder, { recursive: true, force: true });
}
