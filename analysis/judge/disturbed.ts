import type { Reason, Verdict } from '../../model/verdict.js';

type Disturbed = Pick<Verdict, 'disturbedBy' | 'probesExhausted'>;

/** What a pass says of the faults for which a failure would have been this void trial. */
export function disturbed({ reasons, probesExhausted }: Verdict): Disturbed {
  return { disturbedBy: reasons, ...(probesExhausted ? { probesExhausted } : {}) };
}

/** Of two passes that are one: whatever disturbed either. */
export function disturbedBoth(one: Verdict, other: Verdict): Disturbed {
  const reasons = [...(one.disturbedBy ?? []), ...(other.disturbedBy ?? [])];
  if (reasons.length === 0) return {};
  const known = new Map<string, Reason>(reasons.map((reason) => [reason.text, reason]));
  const exhausted = one.probesExhausted === true || other.probesExhausted === true;
  return { disturbedBy: [...known.values()], ...(exhausted ? { probesExhausted: true } : {}) };
}
