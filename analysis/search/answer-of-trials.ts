import type { Answer, Manifest, RunResult, Step } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { historyOf } from './history.js';
import { unfinishedAnswer } from './known-so-far.js';
import { answerSoFar, nextStep } from './search.js';
import { singleSizeStep } from './single-size.js';
import { asksForOneSize } from './undecided.js';

/** What a run asked, without its answer. */
type AskedRun = Pick<Manifest, 'plan' | 'command'>;

/** The answer that the trials of a run give by themselves; undefined where the search was not done with them. */
export function answerOfTrials(asked: AskedRun, records: readonly TrialRecord[]): Answer | undefined {
  const step = stepAfter(asked, records);
  return step?.kind === 'done' ? step.answer : undefined;
}

/** What a search, or a run of one size, does next; undefined before the first trial. */
export function stepAfter(asked: AskedRun, records: readonly TrialRecord[]): Step | undefined {
  const [first] = records;
  if (!first) return undefined;
  const history = historyOf(records);
  const { search } = asked.plan;
  const size = sizeTried(asked, records);
  return size === undefined ? nextStep(search, first.size, history) : singleSizeStep(size, search, first.size, history);
}

/**
 * What an answer says that its trials do not, as a sentence; undefined where nothing is. The first kind no search of
 * any version could say. The second is another answer than today's search gives: an earlier one may have given it.
 */
export function contradictionOf(
  asked: AskedRun,
  records: readonly TrialRecord[],
  result: RunResult,
): { readonly kind: 'impossible' | 'other'; readonly text: string } | undefined {
  const impossible = impossibleIn(records, result);
  if (impossible !== undefined) return { kind: 'impossible', text: impossible };
  const derived = answersOf(asked, records);
  const [first] = derived;
  if (!first || derived.some((answer) => isSame(answer, result))) return undefined;
  const { outcome, stable, unstable } = first;
  const text = `its trials give "${outcome}", ${stable} stable and ${unstable ?? 'none'} unstable, by the search of this Loadline`;
  return { kind: 'other', text };
}

function impossibleIn(records: readonly TrialRecord[], { trials, limit }: RunResult): string | undefined {
  if (trials.length !== records.length) return `it has ${trials.length} trials, and ${records.length} are stored`;
  const other = records.find(
    ({ size, verdict }, nth) => trials[nth]?.size !== size || trials[nth]?.verdict !== verdict.kind,
  );
  if (other) return `trial ${other.index} is another in it`;
  const was = (kind: 'stable' | 'unstable', size: number) =>
    records.some((record) => record.size === size && record.verdict.kind === kind);
  const { stable, unstable, background } = limit;
  if (stable !== null && stable > 0 && !was('stable', stable) && !background?.atLimit)
    return `${stable} was stable in none of its trials`;
  if (unstable !== null && !was('unstable', unstable)) return `${unstable} was unstable in none of its trials`;
  return undefined;
}

/** That of a search that is done, or those of one that ended before. */
function answersOf(asked: AskedRun, records: readonly TrialRecord[]): readonly Answer[] {
  const [first] = records;
  if (!first) return [];
  const history = historyOf(records);
  const soFar = [answerSoFar(asked.plan.search, first.size, history, ''), unfinishedAnswer(history, '')];
  const done = answerOfTrials(asked, records);
  return done ? [done, ...soFar.slice(1)] : soFar;
}

function isSame({ outcome, stable, unstable, flaky }: Answer, { outcome: told, limit }: RunResult): boolean {
  const same = outcome === told && unstable === limit.unstable && stable === (limit.stable ?? 0);
  return same && flaky.join() === limit.flaky.join();
}

/** The size of a run that tried one, which its plan has as the largest. */
function sizeTried({ plan, command }: AskedRun, records: readonly TrialRecord[]): number | undefined {
  if (!asksForOneSize(command)) return undefined;
  return records.find(({ why }) => why === 'fixed')?.size ?? plan.search.max;
}
