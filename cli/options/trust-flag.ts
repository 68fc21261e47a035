import type { RunTrust } from '../../store/run-directory/own-run.js';
import type { Flags, WordsOf } from './flag.js';

/** For whatever reads stored runs that somebody names. */
export const trustFlags = {
  trustRun: {
    about: 'take a stored run that others can change at any time, and one of any size',
    inPlans: false,
    onResume: 'may',
  },
} as const satisfies Flags;

export type TrustFlags = WordsOf<typeof trustFlags>;

export function trustOf({ trustRun }: TrustFlags): RunTrust {
  return trustRun === true ? 'any' : 'own';
}
