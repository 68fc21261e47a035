/**
 * A link that is estimated to carry less than this share of a layer for these seconds does not carry it. An estimate
 * falls to 0.85 of what came through, and grows past what the link carries until it falls again. So these seconds need
 * not follow each other: one in which it grows counts half, and one that is not below takes back a tenth. An estimate
 * begins below what comes: while it is higher than ever, it says nothing yet.
 */
const carriedShare = 0.8;
const secondsBelow = 3;
const ofGrowing = 0.5;
/** After one fall growing seconds come to no more: one fall alone lowers nobody. */
const mostOfGrowing = 1.5;
const takenBack = 0.1;
/** Each second. */
const growth = 1.02;
/**
 * No estimate tells that more would fit: it ends at 1.5 times what comes. So a lowered receiver is given the next layer
 * up as a try, after these seconds in which nothing was held back. Who lost a layer sooner than that has a narrow
 * link, and waits longer than a trial: else one window has a try in it, and another has not.
 */
const trySeconds = 30;
const narrowTrySeconds = 240;

/** What a second says of a receiver; a longer time where this process was late. Layers count from 0, the lowest. */
interface Second {
  readonly seconds: number;
  /** What its link is estimated to carry; zero: not known. */
  readonly estimateBps: number;
  /** What it gets, and what it asks for. */
  readonly layer: number;
  readonly asked: number;
  /** What the sender sends of that layer. */
  readonly layerBps: number;
}

/** Which layer fits the link of one receiver. */
export class FittingLayer {
  #most: number;
  #layer = -1;
  /** For how long it has had that layer, and what that was in the second before; its estimate, and the highest. */
  #heldSeconds = 0;
  #layerBps = 0;
  #estimateBps = 0;
  #highestBps = 0;
  /** For how long its link was estimated to carry less, and since when it was not. */
  #belowSeconds = 0;
  #grownSeconds = 0;
  #calmSeconds = 0;
  #waitSeconds = trySeconds;

  constructor(highest: number) {
    this.#most = highest;
  }

  /** The highest that its link is thought to carry. */
  get most(): number {
    return this.#most;
  }

  note(second: Second): void {
    const { seconds, layer, asked } = second;
    if (layer !== this.#layer) this.#begin(layer);
    const below = this.#below(second);
    this.#heldSeconds += seconds;
    this.#calmSeconds = below > 0 ? 0 : this.#calmSeconds + seconds;
    this.#belowSeconds = below > 0 ? this.#belowSeconds + below : Math.max(0, this.#belowSeconds - takenBack * seconds);
    // Once for each layer: the one before goes on until a key frame comes, and one above may stand in.
    if (this.#belowSeconds >= secondsBelow && layer > 0 && layer <= this.#most) {
      this.#most = layer - 1;
      this.#waitSeconds = this.#heldSeconds < trySeconds ? narrowTrySeconds : trySeconds;
    } else if (this.#calmSeconds >= this.#waitSeconds && layer === this.#most && layer < asked) {
      this.#most = layer + 1;
      this.#calmSeconds = 0;
      this.#waitSeconds = trySeconds;
    }
  }

  #begin(layer: number): void {
    this.#layer = layer;
    this.#heldSeconds = 0;
    this.#layerBps = 0;
    this.#highestBps = 0;
    this.#belowSeconds = 0;
    this.#grownSeconds = 0;
  }

  /** How many seconds this one counts as. One estimate alone, after however long, lowers nobody. */
  #below({ seconds, estimateBps, layerBps }: Second): number {
    const grows = growth ** seconds;
    const isHighest = estimateBps > grows * this.#highestBps;
    const isGrowing = estimateBps > grows * this.#estimateBps;
    this.#estimateBps = estimateBps;
    this.#highestBps = Math.max(this.#highestBps, estimateBps);
    // A key frame makes one second large.
    const usualBps = Math.min(layerBps, this.#layerBps);
    this.#layerBps = layerBps;
    if (isHighest || estimateBps === 0 || estimateBps >= carriedShare * usualBps) return 0;
    const counted = Math.min(seconds, secondsBelow / 2);
    const more = isGrowing ? Math.min(ofGrowing * counted, mostOfGrowing - this.#grownSeconds) : 0;
    this.#grownSeconds = isGrowing ? this.#grownSeconds + more : 0;
    return isGrowing ? more : counted;
  }
}
