/**
 * Where the time of stored runs went, and how long settling would take by today's rules: by the readings of each trial,
 * with the rate of the video sent in the 10 s after, against that of the window that was measured. Prints the tables of
 * docs/lab/search.md. Run with `npm run build && node dist/bench/settling.js RUN…`, with folders of runs.
 */
import { Settling } from '../analysis/measure/settled.js';
import { atOnce } from '../model/in-steps.js';
import type { Sample } from '../model/sample.js';
import { phases, type TrialRecord } from '../model/trial.js';
import { readRun, type StoredRun } from '../store/run-directory/read-run.js';
import { tableText } from './search/table-text.js';

const spanMs = 10_000;
const secondMs = 1000;
/** Readings of a second come so much later. */
const lateMs = 150;

interface Settled {
  readonly stable: boolean;
  readonly tookMs: number;
  readonly wouldTakeMs: number;
  readonly rateKbps: number;
  readonly windowKbps: number;
}

async function settledIn(run: StoredRun, record: TrialRecord): Promise<Settled | undefined> {
  const mark = record.phases.find(({ phase }) => phase === 'settle');
  const { window } = record;
  if (!mark || !window) return undefined;
  const { value } = await run.readSamples(record.index);
  const samples = [...value].sort((a, b) => a.atMs - b.atMs);
  const settling = new Settling(
    record.probes.map(({ participant }) => participant),
    run.manifest.plan.media,
  );
  let next = 0;
  for (let atMs = mark.startedAtMs; atMs + spanMs <= window.endMs; atMs += secondMs) {
    for (let one = samples[next]; one && one.atMs <= atMs - lateMs; one = samples[next]) {
      settling.add(one);
      next += 1;
    }
    if (!atOnce(settling.settling(atMs))) continue;
    return {
      stable: record.verdict.kind === 'stable',
      tookMs: mark.endedAtMs - mark.startedAtMs,
      wouldTakeMs: atMs - mark.startedAtMs,
      rateKbps: sentKbps(samples, atMs, atMs + spanMs),
      windowKbps: sentKbps(samples, window.startMs, window.endMs),
    };
  }
  return undefined;
}

function sentKbps(samples: readonly Sample[], fromMs: number, toMs: number): number {
  const rates = samples
    .filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
    .flatMap(({ streams, intervalMs }) =>
      streams.flatMap((one) =>
        one.kind === 'video' && one.direction === 'send' ? [((one.metrics.bytesSent ?? 0) * 8) / intervalMs] : [],
      ),
    );
  return rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length);
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
const seconds = (ms: number) => (ms / 1000).toFixed(1);

function phaseCells({ manifest: { plan }, records }: StoredRun): string[] {
  const judged = records.filter(({ verdict }) => verdict.kind !== 'void');
  const took = (phase: string) =>
    mean(
      judged.map(({ phases: marks }) =>
        marks.reduce((sum, one) => (one.phase === phase ? sum + one.endedAtMs - one.startedAtMs : sum), 0),
      ),
    );
  const whole = mean(judged.map(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs));
  const named = phases.map(took);
  const rest = whole - named.reduce((sum, one) => sum + one, 0);
  return [plan.scenario, String(judged.length), ...[...named, rest].map(seconds)];
}

const runs = await Promise.all(process.argv.slice(2).map((folder) => readRun(folder)));
console.log(tableText(['scenario', 'trials', ...phases, 'judge, store'], runs.map(phaseCells)));
const rows: string[][] = [];
for (const run of runs) {
  const all: Settled[] = [];
  for (const record of run.records) {
    const settled = await settledIn(run, record);
    if (settled) all.push(settled);
  }
  const off = all.filter(({ stable }) => stable).map(({ rateKbps, windowKbps }) => Math.abs(rateKbps / windowKbps - 1));
  rows.push([
    run.manifest.plan.scenario,
    `${all.length} of ${run.records.length}`,
    seconds(mean(all.map(({ tookMs }) => tookMs))),
    seconds(mean(all.map(({ wouldTakeMs }) => wouldTakeMs))),
    `${(100 * Math.max(0, ...off)).toFixed(1)} %`,
  ]);
}
console.log(
  `\n${tableText(['scenario', 'trials', 'settling took', 'would take', 'rate after differs by, stable trials, at most'], rows)}`,
);
