import type { WordsOf } from '../options/flag.js';
import type { mediaFlags } from '../options/media-flags.js';
import type { sessionFlags } from '../options/session-flags.js';

export const profileNames = ['meeting-25', 'webinar', 'classroom', 'classic-640'] as const;

/** Flags that stand for those of one kind of session where nobody gave them. */
export interface Profile {
  readonly name: (typeof profileNames)[number];
  /** The scenarios that it is for; absent: all. */
  readonly scenarios?: readonly string[];
  readonly sets: Partial<WordsOf<typeof mediaFlags & typeof sessionFlags>>;
  /** Where its figures are from, one sentence each. Figures without a source are said to be chosen. */
  readonly sources: readonly string[];
}
