/**
 * What ending trials early saves, and whether a verdict changes. Prints the table of docs/lab/early-stop.md.
 * Run with `npm run build && node dist/bench/early-stop.js`; takes about a minute of one core.
 */

import type { TrialRecord } from '../model/trial.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { type Symptom, symptoms } from '../simulation/symptoms.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { tryOnce } from '../trial/find-limit.js';

const capacity = 8;
const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
const overloads = [1.25, 1.5, 2] as const;

interface Kind {
  readonly name: string;
  readonly server: { readonly symptom?: Symptom; readonly refusesAbove?: number };
}

const kinds: readonly Kind[] = [
  ...symptoms.map((symptom) => ({ name: symptom, server: { symptom } })),
  { name: 'refused', server: { refusesAbove: capacity } },
];

/** The last trial of `try`: the one of the size asked for. */
async function trialOf(kind: Kind, size: number, seed: number, earlyStop: boolean): Promise<TrialRecord> {
  const timing = { pacePerSecond: 2, ...(earlyStop ? {} : { earlyStop }) };
  const records: TrialRecord[] = [];
  const { parts } = aSimulatedRun(
    { capacity, seed, ...kind.server },
    { listener: (event) => void (event.type === 'trial-ended' && records.push(event.record)) },
  );
  await tryOnce({ plan: aPlan({}, timing), scenario: oneToOne }, size, parts, new AbortController().signal);
  const last = records.at(-1);
  if (!last) throw new Error('no trial was run');
  return last;
}

const tookMs = (trial: TrialRecord) => trial.endedAtMs - trial.startedAtMs;
const measuredMs = ({ window }: TrialRecord) => (window ? window.endMs - window.startMs : 0);
const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

interface Row {
  readonly name: string;
  readonly pairs: readonly (readonly [TrialRecord, TrialRecord])[];
}

function lineOf({ name, pairs }: Row): string {
  const total = (of: (trial: TrialRecord) => number, side: 0 | 1) =>
    pairs.reduce((sum, pair) => sum + of(pair[side]), 0);
  const early = pairs.filter(([trial]) => trial.endedEarly).length;
  const changed = pairs.filter(([one, other]) => one.verdict.kind !== other.verdict.kind).length;
  return [
    name,
    String(pairs.length),
    percent(early / pairs.length),
    `${(total(measuredMs, 0) / pairs.length / 1000).toFixed(0)} of ${(total(measuredMs, 1) / pairs.length / 1000).toFixed(0)} s`,
    percent(1 - total(measuredMs, 0) / Math.max(1, total(measuredMs, 1))),
    percent(1 - total(tookMs, 0) / total(tookMs, 1)),
    String(changed),
  ].join(' | ');
}

const rows: Row[] = [];
for (const kind of kinds) {
  const pairs: [TrialRecord, TrialRecord][] = [];
  for (const seed of seeds) {
    for (const overload of overloads) {
      const size = Math.ceil(capacity * overload);
      const whole = await trialOf(kind, size, seed, false);
      if (whole.verdict.kind === 'unstable') pairs.push([await trialOf(kind, size, seed, true), whole]);
    }
  }
  rows.push({ name: kind.name, pairs });
}
console.log('| symptom | unstable trials | ended early | measured | window saved | trial saved | verdicts changed |');
console.log('|---|---|---|---|---|---|---|');
for (const row of [...rows, { name: 'all', pairs: rows.flatMap(({ pairs }) => pairs) }])
  console.log(`| ${lineOf(row)} |`);
