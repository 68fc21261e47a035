import type { TrialCost } from './trial-cost.js';

/** Participants of a trial to whom something happened. */
export interface Noticed {
  readonly by: number;
  readonly of: number;
  /** As many things as may be apart from each other: participants of one session of several are one. */
  readonly apart: number;
}

/**
 * What participants noticed up to the limit at a rate that does not rise with the size: no capacity. Such trials are
 * unstable, and the search went on as if they had passed.
 */
export interface Background {
  /** Trials that failed so, and those among them at the limit itself. */
  readonly trials: number;
  readonly atLimit: number;
  /** Participants who noticed something, in trials of more than half of the limit, and in those of less. */
  readonly above: Pick<Noticed, 'by' | 'of'>;
  readonly below: Pick<Noticed, 'by' | 'of'>;
  /** Too few noticed something to tell a rate that stays as it is from one that rises as the size does. */
  readonly mayRise?: true;
}

/** What was seen of an edge that is no sharp one: sizes at which some trials passed, and what lies on both sides. */
export interface WideEdge {
  /** The largest size up to which every trial passed; absent: none. */
  readonly alwaysUpTo?: number;
  /** Of the trials in between, how many passed. */
  readonly between: { readonly from: number; readonly upTo: number; readonly passed: number; readonly of: number };
  /** The smallest size from which on none passed; absent: none such was tried. */
  readonly neverFrom?: number;
}

/**
 * Where no more than this share of the participants noticed something, the trial is measured to its end. Their number
 * in all tells a background, which is no limit, from an overload (`search/background.ts`).
 */
export const fewShare = 0.01;

/** How a server got worse while it was searched: what was seen, by the numbers of the trials. */
export interface Drift {
  /** The largest size that was ever stable, and the first trial after it that failed with no more. */
  readonly fresh?: { readonly size: number; readonly trial: number; readonly failedAgain?: number };
  /** The largest size that was stable after that, with no failure below it any more; absent: none. */
  readonly end?: { readonly size: number; readonly trial: number };
  /** What the same load cost early and late, where that rose. */
  readonly costs: readonly {
    readonly of: keyof TrialCost;
    readonly size: number;
    readonly early: { readonly trial: number; readonly value: number };
    readonly late: { readonly trial: number; readonly value: number };
  }[];
}
