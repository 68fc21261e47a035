/** libwebrtc's start bitrate, and what it never goes below. */
const startBps = 300_000;
const leastBps = 30_000;
/** While nothing is lost, the rate that is told is taken as it is for so long after the first report. */
const trustMs = 2_000;
/** So long after the first report a layer that wants more than is allowed makes that time begin anew. */
const layersMs = 10_000;
/** draft-ietf-rmcat-gcc, 6, as libwebrtc has it: more when up to 2 % are lost, less when over 10 % are. */
const low = 0.02;
const high = 0.1;
const growth = 1.08;
const addedBps = 1_000;
/** A lower rate shows in the reports only after a round trip. */
const loweredAgainMs = 300;
/** A growth is over what was the least of a second. */
const growthMs = 1_000;
/** Until the way is known: more than what arrives is tried by this much. */
const triedTimes = 1.5;

/**
 * What one leg may send, bit/s: libwebrtc's estimate on the sender's side. It starts low, takes what the server allows
 * (REMB), and is lowered by loss that reports tell, and by what transport-wide feedback says of queues on the way.
 */
export class SendRate {
  readonly #ceilingBps: number;
  #bps = startBps;
  #rembBps = Number.POSITIVE_INFINITY;
  #wayBps = Number.POSITIVE_INFINITY;
  #lost = 0;
  #firstReportAtMs: number | undefined;
  #trustedUntilMs = Number.POSITIVE_INFINITY;
  /** What the way carries has shown. */
  #isWayKnown = false;
  #loweredAtMs = Number.NEGATIVE_INFINITY;
  #grewAtMs = Number.NEGATIVE_INFINITY;

  /** `ceilingBps`: what the server's description or our own cap allows; infinity where REMB is all that caps. */
  constructor(ceilingBps: number) {
    this.#ceilingBps = ceilingBps;
  }

  get bps(): number {
    return this.#bps;
  }

  /** The server says what may be sent. */
  onRemb(bps: number, nowMs: number): void {
    this.#rembBps = bps;
    if (this.#isTrusting(nowMs)) this.#bps = Math.max(this.#bps, bps);
    this.#keepWithin();
  }

  /** A receiver report; `share` of 0 to 1 was lost since the one before. */
  onLoss(share: number, roundTripMs: number, nowMs: number): void {
    if (this.#firstReportAtMs === undefined) {
      this.#firstReportAtMs = nowMs;
      this.#trustedUntilMs = nowMs + trustMs;
    }
    this.#lost = share;
    if (share <= low) {
      if (nowMs - this.#grewAtMs >= growthMs) {
        this.#bps = this.#bps * growth + addedBps;
        this.#grewAtMs = nowMs;
      }
    } else if (share > high && nowMs - this.#loweredAtMs >= loweredAgainMs + roundTripMs) {
      this.#bps *= 1 - share / 2;
      this.#loweredAtMs = nowMs;
    }
    this.#keepWithin();
  }

  /**
   * Several times a second: what arrived, and what the way is estimated to carry (zero: nothing shows less).
   *
   * @param neededBps with so much the next layer would be sent; zero: all are
   */
  onArrivals(arrivedBps: number, wayBps: number, nowMs: number, neededBps = 0): void {
    this.#wayBps = wayBps > 0 ? wayBps : Number.POSITIVE_INFINITY;
    const isFree = !Number.isFinite(this.#wayBps);
    this.#isWayKnown ||= !isFree;
    const isBegin = nowMs < (this.#firstReportAtMs ?? nowMs) + layersMs && !this.#isWayKnown;
    if (isBegin && neededBps > 0 && this.#firstReportAtMs !== undefined) this.#trustedUntilMs = nowMs + trustMs;
    // In place of libwebrtc's probing, which fills up with padding: what the way has just carried, and half of it more.
    const tried = Math.max(triedTimes * arrivedBps, isBegin ? neededBps : 0);
    if (isFree && this.#isTrusting(nowMs)) this.#bps = Math.max(this.#bps, Math.min(tried, this.#most));
    this.#keepWithin();
  }

  get #most(): number {
    return Math.min(this.#ceilingBps, this.#rembBps);
  }

  #isTrusting(nowMs: number): boolean {
    return this.#lost === 0 && nowMs <= this.#trustedUntilMs;
  }

  #keepWithin(): void {
    this.#bps = Math.max(leastBps, Math.min(this.#bps, this.#most, this.#wayBps));
  }
}
