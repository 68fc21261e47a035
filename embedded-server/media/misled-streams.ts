import type { MediaKind } from '../../model/scenario.js';
import type { PictureFault, SoundFault } from '../imitation.js';
import { FanOut } from './fan-out.js';

/** Faults on purpose: what is sent goes to others than it should. */
export interface MisledStreams {
  /** Where goes what would go there. */
  inPlaceOf(inputs: FanOut): FanOut;
  /** Its sender is gone, and another one takes its place. */
  forget(inputs: FanOut): void;
}

/** Of which kinds. */
export type Misled = Readonly<Record<MediaKind, MisledStreams | undefined>>;

export function misledBy(fault: PictureFault | SoundFault | undefined): MisledStreams | undefined {
  if (fault === 'swapped') return new SwappedStreams();
  return fault === 'missing' ? new MissingStream() : undefined;
}

/** What the first two senders of a kind that are there send goes to each other's receivers. */
class SwappedStreams implements MisledStreams {
  #first: readonly FanOut[] = [];

  inPlaceOf(inputs: FanOut): FanOut {
    if (this.#first.length < 2 && !this.#first.includes(inputs)) this.#first = [...this.#first, inputs];
    const [one, other] = this.#first;
    if (one === undefined || other === undefined) return inputs;
    return inputs === one ? other : inputs === other ? one : inputs;
  }

  forget(inputs: FanOut): void {
    this.#first = this.#first.filter((one) => one !== inputs);
  }
}

/** What the first sender that is there sends goes to nobody. */
class MissingStream implements MisledStreams {
  #first: FanOut | undefined;
  readonly #nobody = new FanOut();

  inPlaceOf(inputs: FanOut): FanOut {
    this.#first ??= inputs;
    return inputs === this.#first ? this.#nobody : inputs;
  }

  forget(inputs: FanOut): void {
    if (this.#first === inputs) this.#first = undefined;
  }
}
