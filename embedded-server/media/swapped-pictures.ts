import type { FanOut } from './fan-out.js';

/** A fault on purpose: what the first two senders of pictures that are there send goes to each other's receivers. */
export class SwappedPictures {
  #first: readonly FanOut[] = [];

  /** Where the pictures go that would go there. */
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
