import type { FinishedRun } from '../../model/finished-run.js';
import { those } from '../../model/those.js';
import type { TrialRecord } from '../../model/trial.js';
import type { WarmUp } from '../../model/warm-up.js';
import { numberNear, plural } from '../wording/wording.js';

type Warmed = TrialRecord & { readonly warmUp: WarmUp };

/** "warm-up, not judged: joined in 4.7 s, first frame 0.4 s after its sources". */
export function warmUpText(warmUp: WarmUp): string {
  return `warm-up, not judged: ${outcomeOf(warmUp)}`;
}

function outcomeOf({ joinMs, firstFrameMs, failure, probesUp, probesAsked }: WarmUp): string {
  if (failure !== undefined) return `${probesUp} of ${plural(probesAsked, 'probe')} came up. ${failure}`;
  const joined = joinMs === undefined ? 'joined' : `joined in ${secondsOf(joinMs)}`;
  return firstFrameMs === undefined ? joined : `${joined}, first frame ${secondsOf(firstFrameMs)} after its sources`;
}

/** What the server was given to do before it was measured, or that it was measured cold. */
export function warmUpSentences({ records, manifest: { plan } }: FinishedRun): string[] {
  if (plan.timing.warmUp === false && plan.server.kind !== 'simulated') {
    return ['There was no warm-up: the first joins on a cold server were judged as all others.'];
  }
  const warmed = records.filter((record): record is Warmed => record.warmUp !== undefined);
  const [only, ...others] = warmed;
  if (!only) return [];
  if (others.length === 0) {
    const ended = only.warmUp.failure === undefined ? '.' : '';
    return [`Before trial ${only.index}: ${warmUpText(only.warmUp)}${ended}`];
  }
  const joins = warmed.flatMap(({ warmUp }) => warmUp.joinMs ?? []);
  const frames = warmed.flatMap(({ warmUp }) => warmUp.firstFrameMs ?? []);
  const failed = warmed.filter(({ warmUp }) => warmUp.failure !== undefined).length;
  const parts = those(
    joins.length > 0 && `joined in ${spanOf(joins)}`,
    frames.length > 0 && `first frame ${spanOf(frames)} after its sources`,
    failed !== 0 && `${failed} in which not all came up`,
  );
  return [`Warm-ups before ${plural(warmed.length, 'trial')}, not judged: ${parts.join(', ')}.`];
}

function spanOf(times: readonly number[]): string {
  const [least, most] = [Math.min(...times), Math.max(...times)].map((ms) => numberNear(ms / 1000));
  return least === most ? `${least} s` : `${least} to ${most} s`;
}

function secondsOf(ms: number): string {
  return `${numberNear(ms / 1000)} s`;
}
