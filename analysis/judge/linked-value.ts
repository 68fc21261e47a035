import type { Baseline } from '../../model/trial.js';
import type { Carried } from './link-model.js';
import type { Hop } from './link-path.js';

/** What links make of a value, and how much further towards the bad chance alone may take it. */
export interface LinkShare {
  readonly share: number;
  readonly chance: number;
}

/** A stream over its links as they are at one time of the window. */
export interface Path {
  readonly hops: readonly Hop[];
  readonly carried: Carried;
  readonly windowSeconds: number;
  /** Streams judged, itself included (correction for multiple comparisons). */
  readonly among: number;
  /** What goes out waits for nothing to be repaired. */
  readonly direction: 'send' | 'receive';
}

export type Alone = Baseline['streams'][string];

export interface LinkedValue {
  /** The best possible value: what is judged when the links explain all that was measured. */
  readonly best: number;
  /** What the links explain by their setting; `undefined` where the model does not bound it. */
  readonly bySetting: (path: Path) => LinkShare | undefined;
  /** What one session alone had there; `undefined` where it is not known. */
  readonly byBaseline: (path: Path, alone: Alone) => LinkShare | undefined;
}
