import { countedIn } from '../../model/load.js';
import type { Answer, Manifest, TrialOutcome } from '../../model/run.js';
import { type PhaseName, phases, type TrialRecord } from '../../model/trial.js';
import { mean } from '../statistics/statistics.js';
import { nextStep, trialBound } from './search.js';

/** What an answer cost: minutes of each probe, from when it joined to when the window ended. */
interface SearchCost {
  /** Absent where no trial says how long its phases were, and where participants come and go. */
  readonly probeMinutes?: number;
  /**
   * What doubling and halving alone would have taken to the same answer: an estimate, with trials as long as those of
   * this run that were measured to their end. Absent where nothing was foreseen or screened, or there is no such
   * answer.
   */
  readonly plainProbeMinutes?: number;
}

interface CostedRun {
  readonly manifest: Manifest;
  readonly records: readonly TrialRecord[];
  readonly answer: Answer;
}

export function searchCost(run: CostedRun): SearchCost {
  // Where participants come and go, fewer are there at a time than were due.
  if (run.records.every((record) => record.phases.length === 0 || countedIn(record))) return {};
  const probeMinutes = run.records.reduce((sum, record) => sum + probeMinutesOf(record), 0);
  const plain = plainMinutes(run);
  return { probeMinutes, ...(plain === undefined ? {} : { plainProbeMinutes: plain }) };
}

/** Joining counts half: one after the other, probes are there for half of it on average. */
function probeMinutesOf(record: TrialRecord): number {
  const ms = phaseMs(record, 'join') / 2 + phaseMs(record, 'settle') + phaseMs(record, 'measure');
  return (record.probesAsked * ms) / 60_000;
}

function plainMinutes({ manifest, records, answer }: CostedRun) {
  const { stable, unstable, outcome } = answer;
  const [first] = records;
  const steered = records.some(({ foresees, screened }) => foresees !== undefined || screened);
  if (!first || !steered || outcome !== 'found' || unstable === null) return undefined;
  const search = { ...manifest.plan.search, foresight: false, screening: false };
  const history: TrialOutcome[] = [];
  const most = trialBound(search, first.size).clean;
  let minutes = 0;
  while (history.length < most) {
    const step = nextStep(search, first.size, history);
    if (step.kind === 'done') break;
    const verdict = step.size <= stable ? 'stable' : 'unstable';
    history.push({ size: step.size, verdict });
    minutes += minutesAt(records, step.size, verdict);
  }
  return minutes;
}

/** Of a trial of this size, by this run's trials: the probes of the nearest size, the usual length of each phase. */
function minutesAt(records: readonly TrialRecord[], size: number, verdict: 'stable' | 'unstable'): number {
  const nearest = records.reduce((near, one) => (Math.abs(one.size - size) < Math.abs(near.size - size) ? one : near));
  const probes = (nearest.probesAsked * size) / nearest.size;
  const alike = records.filter((one) => one.verdict.kind === verdict && !one.screened);
  const usualMs = (phase: PhaseName, of = records) => mean(of.map((one) => phaseMs(one, phase)).filter((ms) => ms > 0));
  const perProbeMs = mean(records.map((one) => phaseMs(one, 'join') / Math.max(1, one.probesAsked))) ?? 0;
  const ms = (perProbeMs * probes) / 2 + (usualMs('settle') ?? 0) + (usualMs('measure', alike) ?? 0);
  return (probes * ms) / 60_000;
}

/** How long all trials took, without what lay between them: a run that was resumed may have stood still for days. */
export function trialsTookMs(records: readonly TrialRecord[]): number {
  return records.reduce((sum, { startedAtMs, endedAtMs }) => sum + endedAtMs - startedAtMs, 0);
}

/** How long all trials spent in each phase, in the order of a trial; between phases is judging and storing. */
export function phaseTotals(
  records: readonly TrialRecord[],
): readonly { readonly phase: PhaseName; readonly ms: number }[] {
  return phases
    .map((phase) => ({ phase, ms: records.reduce((sum, record) => sum + phaseMs(record, phase), 0) }))
    .filter(({ ms }) => ms > 0);
}

function phaseMs({ phases: marks }: TrialRecord, phase: PhaseName): number {
  return marks.reduce((sum, one) => (one.phase === phase ? sum + one.endedAtMs - one.startedAtMs : sum), 0);
}
