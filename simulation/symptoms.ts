import type { Conditions } from './conditions.js';

/** What participants notice of an overloaded server. */
export const symptoms = ['mixed', 'slow', 'loss', 'freeze'] as const;
export type Symptom = (typeof symptoms)[number];

/** `noise` is in [0, 1), another one each second. */
export function healthy(noise: number): Conditions {
  return { arrivingShare: 1, lossShare: 0, frozenMs: 0, rttMs: 20 + 10 * noise, jitterMs: 2 + 3 * noise };
}

/** `kind` in [0, 1) is the participant's own and chooses among the symptoms of `mixed`. */
export function sufferingFrom(symptom: Symptom, kind: number, noise: number): Conditions {
  const busy = { ...healthy(noise), rttMs: 60 + 40 * noise, jitterMs: 6 + 6 * noise };
  switch (symptom) {
    case 'slow':
      return { ...busy, arrivingShare: 0.35 + 0.15 * noise };
    case 'loss':
      return { ...busy, lossShare: 0.06 + 0.04 * noise, arrivingShare: 0.9 };
    case 'freeze':
      return { ...busy, frozenMs: noise < 0.3 ? 400 : 0 };
    case 'mixed':
      return sufferingFrom(kind < 0.4 ? 'slow' : kind < 0.8 ? 'loss' : 'freeze', kind, noise);
  }
}
