import type { Sample } from '../../model/sample.js';
import { KeptStates } from './kept-states.js';
import type { NumberBlocks } from './number-blocks.js';
import type { StreamFold } from './stream-fold.js';

/** The window that samples are folded over, and what is to be known of it besides its end. Epoch milliseconds. */
export interface FoldedWindow {
  readonly startMs: number;
  /** Of each probe, where they differ; undefined of one of which nothing is in the window. Absent: they do not. */
  readonly startOf?: (probe: string) => number | undefined;
  /** When the last participant had joined; absent: nothing is seen of joining. */
  readonly joinedMs?: number | undefined;
  /** As planned; it may end before. Nothing after it is looked at. */
  readonly endMs: number;
  /** When else it may end. What the window until then says is kept where somebody had noticed something by the halt. */
  readonly ends?: readonly number[];
  /** One before each of the ends: when it is asked whether a probe is lost. That is kept in any case. */
  readonly halts?: readonly number[];
  /** It is kept although nobody noticed anything: it may end as stable, too. */
  readonly keepsEnds?: boolean;
  /** Whether somebody noticed something by this halt that no sample says: a failure, a late join. */
  readonly wasNoticed?: (haltMs: number) => boolean;
  /** Whether the window can no longer save these streams, which are of the probe that was read last at this time. */
  readonly isLost?: (streams: readonly StreamFold[], lastMs: number, haltMs: number) => boolean;
  /** Whether something was amiss on the probe side in this second. */
  readonly isDisturbed?: (sample: Sample) => boolean;
  /** Whether each second of each stream is kept, for who looks at the window second by second. */
  readonly keepsSeconds?: boolean;
}

export interface FoldStores {
  /** Of each moment at which the window might have ended, in their order; of others nothing is kept. */
  readonly states: (KeptStates | undefined)[];
  readonly sums: NumberBlocks;
  /** Until then participants join; what comes before is of those who sit while others do. */
  readonly joining: { untilMs: number };
  /** Some probe was lost at some halt; it stays so. */
  isAnyLost: boolean;
}

/** Whether the trial may turn out to have been decided at this end of the window. */
export function hasTrouble({ isAnyLost }: FoldStores, { halts, wasNoticed }: FoldedWindow, nth: number): boolean {
  const haltMs = halts?.[nth];
  return isAnyLost || (haltMs !== undefined && wasNoticed?.(haltMs) === true);
}

/** Of the moment of this number. The first probe that passes it decides for all. */
export function statesAt(stores: FoldStores, window: FoldedWindow, nth: number): KeptStates | undefined {
  const { states } = stores;
  if (!(nth in states))
    states[nth] = window.keepsEnds || hasTrouble(stores, window, nth) ? new KeptStates() : undefined;
  return states[nth];
}
