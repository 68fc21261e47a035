import type { HostClock } from '../model/probe-host.js';

/** One question for the time, and its answer. */
export interface ClockExchange {
  /** By the clock of who asks, milliseconds. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** What the other's clock showed. */
  readonly shownMs: number;
}

interface Seen {
  readonly aheadMs: number;
  readonly boundMs: number;
  readonly atMs: number;
}

/** Clocks show whole milliseconds: either reading may be off by one. */
const readingMs = 1;
/** By more than 500 ppm NTP does not correct a clock (RFC 5905, PHI and the frequency limit): none drifts by more. */
const driftShare = 500e-6;
const keptExchanges = 60;
/** Over less time a drift is lost in what the exchanges leave open. */
const driftOverMs = 10_000;
const million = 1e6;

/**
 * How far another clock is ahead. Its reading belongs to some moment between question and answer, so the offset is
 * known to within half of the round trip (RFC 5905, 8). The exchange that says most is used: the shortest, unless it is
 * so old that the clock may have drifted further since. One that contradicts it says that the clock was set: what was
 * known before holds no more, and for the moment the clock is known to within that step only.
 */
export class ClockEstimate {
  private seen: Seen[] = [];
  /** Bounds of all widen alike, so which one says most changes with a new exchange only. */
  private best: Seen | undefined;
  /** What the first seconds since the clock was last set say most of: the drift counts from there. */
  private first: Seen | undefined;
  private sinceMs = 0;

  add({ askedAtMs, answeredAtMs, shownMs }: ClockExchange): void {
    const halfMs = (answeredAtMs - askedAtMs) / 2;
    const atMs = answeredAtMs;
    const one: Seen = { aheadMs: shownMs - (askedAtMs + halfMs), boundMs: halfMs + readingMs, atMs };
    const { best } = this;
    const apartMs = best ? Math.abs(best.aheadMs - one.aheadMs) : 0;
    const wasSet = best !== undefined && apartMs > boundAt(best, atMs) + one.boundMs;
    if (wasSet) this.seen = [{ ...one, boundMs: one.boundMs + apartMs }];
    else this.seen.push(one);
    if (this.seen.length > keptExchanges) this.seen.shift();
    this.best = this.seen.reduce((most, other) => (boundAt(other, atMs) <= boundAt(most, atMs) ? other : most));
    this.countDrift(one, wasSet);
  }

  /** `undefined` before the first exchange. */
  clock(nowMs: number): HostClock | undefined {
    const { best } = this;
    if (!best) return undefined;
    const drift = this.drift(best);
    return {
      offsetMs: -Math.round(best.aheadMs),
      boundMs: Math.ceil(boundAt(best, nowMs)),
      ...(drift ? { drift } : {}),
    };
  }

  private countDrift(one: Seen, wasSet: boolean): void {
    if (!this.first || wasSet) {
      this.first = one;
      this.sinceMs = one.atMs;
    } else if (one.atMs - this.sinceMs < driftOverMs && one.boundMs < this.first.boundMs) this.first = one;
  }

  /** On the mean since then; nothing where that says less than that clocks drift by no more than is allowed for. */
  private drift(best: Seen): HostClock['drift'] {
    const { first } = this;
    if (!first || best.atMs - first.atMs < driftOverMs) return undefined;
    const perMs = million / (best.atMs - first.atMs);
    const boundPpm = (best.boundMs + first.boundMs) * perMs;
    if (boundPpm > driftShare * million) return undefined;
    return { ppm: Math.round((best.aheadMs - first.aheadMs) * perMs), boundPpm: Math.ceil(boundPpm) };
  }
}

const boundAt = ({ boundMs, atMs }: Seen, nowMs: number): number => boundMs + (nowMs - atMs) * driftShare;
