import type { HostClock } from '../../model/probe-host.js';

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

/**
 * How far another clock is ahead. Its reading belongs to some moment between question and answer, so the offset is known to within half
 * of the round trip (RFC 5905, 8). The exchange that says most is used: the shortest, unless it is so old that the clock may have
 * drifted further since. One that contradicts it says that the clock was set: what was known before holds no more, and for the moment
 * the clock is known to within that step only.
 */
export class ClockEstimate {
  private seen: Seen[] = [];

  add({ askedAtMs, answeredAtMs, shownMs }: ClockExchange): void {
    const halfMs = (answeredAtMs - askedAtMs) / 2;
    const atMs = answeredAtMs;
    const one: Seen = { aheadMs: shownMs - (askedAtMs + halfMs), boundMs: halfMs + readingMs, atMs };
    const best = this.best(atMs);
    const apartMs = best ? Math.abs(best.aheadMs - one.aheadMs) : 0;
    if (best && apartMs > best.boundMs + one.boundMs) this.seen = [{ ...one, boundMs: one.boundMs + apartMs }];
    else this.seen.push(one);
    if (this.seen.length > keptExchanges) this.seen.shift();
  }

  /** `undefined` before the first exchange. */
  clock(nowMs: number): HostClock | undefined {
    const best = this.best(nowMs);
    return best && { offsetMs: -Math.round(best.aheadMs), boundMs: Math.ceil(best.boundMs) };
  }

  private best(nowMs: number): Seen | undefined {
    const now = this.seen.map((one) => ({ ...one, boundMs: one.boundMs + (nowMs - one.atMs) * driftShare }));
    return now.reduce<Seen | undefined>((best, one) => (best && best.boundMs <= one.boundMs ? best : one), undefined);
  }
}
