import type { ArrivalsPlan } from '../model/arrivals.js';
import type { Evidence } from '../model/evidence.js';
import { withPauses } from '../model/in-steps.js';
import type { Load } from '../model/load.js';
import type { TrialRecord } from '../model/trial.js';
import { ArrivingTrial } from './arriving-trial.js';
import { checkRecordings } from './check-recordings.js';
import { Scope } from './scope.js';
import type { TrialEnd } from './trial-end.js';
import { trialRecord } from './trial-record.js';
import { type TrialSetting, TrialState } from './trial-state.js';
import { applyNetwork, join, measure, reset, settle, undoBoundMs } from './trial-steps.js';
import { warmUp } from './warm-up.js';

export interface TrialResult {
  readonly record: TrialRecord;
  readonly evidence: Evidence;
  readonly end: TrialEnd;
}

/** What is done with the probes from when they have joined until they leave. Throws what ends the trial. */
export type Scene = (state: TrialState) => Promise<void>;

const measuring: Scene = async (state) => {
  await settle(state);
  await measure(state);
};

/** Joining until the window, what is done until all leave, and what is told of it when they have left. */
interface Course {
  join(scope: Scope): ReturnType<typeof join>;
  measure(): Promise<void>;
  tell?(): void;
}

const courses: Readonly<Record<Load['by'], { of(state: TrialState, load: Load, scene: Scene): Course }>> = {
  sessions: { of: (state, _, scene) => ({ join: (scope) => join(state, scope), measure: () => scene(state) }) },
  arrivals: { of: (state, load: ArrivalsPlan) => new ArrivingTrial(state, load) },
};

/**
 * Runs one trial. Its life: reset the media server and prove that it is clean, apply the network, warm the server up
 * where it is cold, join at a pace, settle until rates have stopped growing, measure, leave, check recordings, clear
 * the network, judge, store. Where the load is how fast sessions come, they join from before the window to its end, and
 * do not settle.
 *
 * Whatever happens until the network is clear (a throw, an abort, a server that goes away), what was done is undone in
 * reverse, what was measured is judged, and the record is stored. Rejects only when it cannot be stored.
 *
 * @param scene what calibrating and benches do instead of settling and measuring
 */
export async function runTrial(setting: TrialSetting, signal: AbortSignal, scene = measuring): Promise<TrialResult> {
  const state = new TrialState(setting, signal);
  const { clock, sinks } = setting.parts;
  const scope = new Scope(clock, undoBoundMs, (text) => state.journal.warn(text));
  const { load } = state.plan;
  const course = courses[load.by].of(state, load, scene);
  try {
    await reset(state);
    const clearNetwork = await applyNetwork(state, scope);
    await warmUp(state);
    const leave = await course.join(scope);
    await course.measure();
    await leave();
    await checkRecordings(state);
    await clearNetwork();
  } catch (error) {
    state.endBecauseOf(error);
  }
  state.settleRecords();
  if (!scope.isEmpty) await state.journal.phase('leave', undoBoundMs, () => scope.close());
  course.tell?.();
  state.close();
  // Hosts, the live view and whoever interrupts are heard meanwhile.
  const record = await withPauses(trialRecord(state), () => clock.sleep(0, new AbortController().signal));
  state.intake.release();
  const evidence = state.evidence.evidence();
  await Promise.all(sinks.map((sink) => sink.writeTrial(record, evidence)));
  return { record, evidence, end: state.outcome };
}
