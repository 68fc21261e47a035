import type { FanOut } from './fan-out.js';

/** A fault on purpose: what the first two senders of pictures send goes to each other's receivers. */
export class SwappedPictures {
  readonly #first: FanOut[] = [];

  /** Where the pictures go that would go there. */
  inPlaceOf(inputs: FanOut): FanOut {
    if (this.#first.length < 2 && !this.#first.includes(inputs)) this.#first.push(inputs);
    const [one, other] = this.#first;
    if (one === undefined || other === undefined) return inputs;
    return inputs === one ? other : inputs === other ? one : inputs;
  }
}
