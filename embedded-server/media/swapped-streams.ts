import type { MediaKind } from '../../model/scenario.js';
import type { FanOut } from './fan-out.js';

/** Of which kinds. */
export type Swapped = Readonly<Partial<Record<MediaKind, SwappedStreams>>>;

/** A fault on purpose: what the first two senders of a kind that are there send goes to each other's receivers. */
export class SwappedStreams {
  #first: readonly FanOut[] = [];

  /** Where goes what would go there. */
  inPlaceOf(inputs: FanOut): FanOut {
    if (this.#first.length < 2 && !this.#first.includes(inputs)) this.#first = [...this.#first, inputs];
    const [one, other] = this.#first;
    if (one === undefined || other === undefined) return inputs;
    return inputs === one ? other : inputs === other ? one : inputs;
  }

  /** Its sender is gone, and another one takes its place. */
  forget(inputs: FanOut): void {
    this.#first = this.#first.filter((one) => one !== inputs);
  }
}
