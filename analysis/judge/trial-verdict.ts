import { atOnce, type InSteps } from '../../model/in-steps.js';
import type { RecordedEnd } from '../../model/trial.js';
import type { Reason, Verdict } from '../../model/verdict.js';
import type { MeasuredWindow } from '../measure/window.js';
import { judging } from './judge.js';
import type { JudgeInput } from './judge-input.js';

/**
 * What the conductor knows goes before what the judge can see: a trial that failed on our side, or lost its server
 * before any load, says nothing about a size; and none that was cut short is stable. A TURN server that this run had
 * started is part of the probe side, one that was there already is part of what is measured.
 *
 * @param loaded whether participants had begun to join
 * @param measured the window of this input summed up, where that was done already
 */
export function verdictOfTrial(
  end: RecordedEnd,
  loaded: boolean,
  input: JudgeInput,
  measured?: MeasuredWindow,
): Verdict {
  return atOnce(verdictInSteps(end, loaded, input, measured));
}

/** The same in steps. */
export function* verdictInSteps(
  end: RecordedEnd,
  loaded: boolean,
  input: JudgeInput,
  measured?: MeasuredWindow,
): InSteps<Verdict> {
  if (end.kind === 'failed' || end.kind === 'stuck' || end.kind === 'drill')
    return saysNothing('environment', end.text);
  if (end.kind === 'turn-lost') {
    const reason: Reason = { code: 'turn-lost', text: `The TURN server went away: it ${end.detail}.` };
    if (end.ours || !loaded) return saysNothing(reason.code, reason.text);
    return { kind: 'unstable', reasons: [reason], thresholds: (yield* judging(input, measured)).thresholds };
  }
  if (end.kind === 'server-lost' && !loaded && !wasWarmedUp(input)) {
    return saysNothing('environment', `The media server went away before this trial put load on it: ${end.detail}.`);
  }
  const verdict = yield* judging(input, measured);
  if (verdict.kind !== 'stable' || end.kind === 'complete') return verdict;
  return {
    ...saysNothing('environment', `The trial did not end in its own order: ${end.kind}.`),
    thresholds: verdict.thresholds,
  };
}

/** The session that warms a server up is load, too. */
function wasWarmedUp({ events }: JudgeInput): boolean {
  return events.some((event) => event.type === 'phase' && event.phase === 'warm-up');
}

function saysNothing(code: Reason['code'], text: string): Verdict {
  return { kind: 'void', reasons: [{ code, text }], thresholds: [], probesExhausted: false };
}
