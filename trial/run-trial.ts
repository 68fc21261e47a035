import type { TrialRecord } from '../model/trial.js';
import { checkRecordings } from './check-recordings.js';
import { Scope } from './scope.js';
import { TrialDesk, type TrialSetting } from './trial-desk.js';
import type { TrialEnd } from './trial-end.js';
import { trialRecord } from './trial-record.js';
import { applyNetwork, join, measure, reset, settle, undoBoundMs } from './trial-steps.js';
import { warmUp } from './warm-up.js';

export type { TrialSetting } from './trial-desk.js';

export interface TrialResult {
  readonly record: TrialRecord;
  readonly end: TrialEnd;
}

/**
 * Runs one trial. Its life:
 *
 *  1. reset the media server and prove that it is clean
 *  2. apply the network
 *  3. warm the server up, where it is cold
 *  4. join at a pace
 *  5. settle, until rates have stopped growing
 *  6. measure
 *  7. leave
 *  8. check recordings
 *  9. clear the network
 * 10. judge
 * 11. store
 *
 * Whatever happens between 1 and 9 (a throw, an abort, a server that goes away), what was done is undone in reverse,
 * what was measured is judged, and the record is stored. Rejects only when it cannot be stored.
 */
export async function runTrial(setting: TrialSetting, signal: AbortSignal): Promise<TrialResult> {
  const desk = new TrialDesk(setting, signal);
  const { clock, sinks } = setting.parts;
  const scope = new Scope(clock, undoBoundMs, (text) => desk.journal.warn(text));
  try {
    await reset(desk);
    const clearNetwork = await applyNetwork(desk, scope);
    await warmUp(desk);
    const leave = await join(desk, scope);
    await settle(desk);
    await measure(desk);
    await leave();
    await checkRecordings(desk);
    await clearNetwork();
  } catch (error) {
    desk.endBecauseOf(error);
  }
  desk.settleRecords();
  if (!scope.isEmpty) await desk.journal.phase('leave', undoBoundMs, () => scope.close());
  desk.close();
  const record = trialRecord(desk);
  await Promise.all(sinks.map((sink) => sink.writeTrial(record, desk.evidence.evidence())));
  return { record, end: desk.outcome };
}
