import type { AggregateName } from '../../model/aggregate.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { sum } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';

/** What was read in judged trials and is no measurement, and what stands behind the loss that is told. */
export function readingSentences({ records }: FinishedRun): string[] {
  const judged = records.filter(({ verdict }) => verdict.kind !== 'void');
  return [...droppedSentences(judged), ...resendingSentences(judged)];
}

function droppedSentences(records: readonly TrialRecord[]): string[] {
  // Every stream of a leg has the leg's own.
  const ofLegs = new Map(
    records.flatMap(({ index, streams }) =>
      streams.map(({ probe, leg, values }) => [`${index} ${probe} ${leg}`, values.legRoundTripsDropped ?? 0]),
    ),
  );
  const dropped = sum(valuesOf(records, 'roundTripsDropped')) + sum([...ofLegs.values()]);
  if (dropped === 0) return [];
  return [
    `Left out: ${plural(dropped, 'round trip')} longer than a connection can wait for an answer. Servers' reports tell such ones when their counters wrap.`,
  ];
}

function resendingSentences(records: readonly TrialRecord[]): string[] {
  const resent = Math.max(0, ...valuesOf(records, 'resentPercent'));
  const asked = Math.max(0, ...valuesOf(records, 'nacksPerSecond'));
  if (resent === 0 && asked === 0) return [];
  return [
    `Video loss is what was left after resending: up to ${numberNear(resent)} % of a stream's packets were sent again, and up to ${numberNear(asked)} times a second its receiver asked for some.`,
  ];
}

function valuesOf(records: readonly TrialRecord[], name: AggregateName): number[] {
  return records.flatMap(({ streams }) => streams.flatMap(({ values }) => values[name] ?? []));
}
