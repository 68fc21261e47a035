import { metricsOf, percentOf, type StreamReading } from './stream-reading.js';

/** A second of which more is made up than two packets of 20 ms does not sound whole. Chosen. */
const brokenShare = 0.05;
/** Of a second so much is a whole one: readings and the player's clock are not the same. */
const whole = 0.99;

/**
 * The longest stretch without sound in a window, second by second, at least. The player's counters say it: how much was
 * made up (inbound-rtp.concealedSamples), and how many stretches of that began (concealmentEvents). So
 * - a stretch goes on through seconds in which none began, and ends in one that is not wholly made up;
 * - of several in one second only the mean is known.
 *
 * Pauses of a sender (DTX) are no gap: the player fills them with comfort noise, and counts none of it as made up.
 * Where the player does not say, seconds without any packet are a gap: a pause has at least one of comfort noise each
 * 400 ms (RFC 7587, RFC 3389).
 */
export class SoundGapFold {
  private longestMs = 0;
  private openMs = 0;
  private saysSound = false;
  /** Time of which the player says how much was made up, and that of seconds with more than is not heard. */
  private playedMs = 0;
  private brokenMs = 0;

  /** In order of time. */
  add(reading: StreamReading): void {
    const missing = missingIn(reading);
    // A second of which nothing is known neither adds to a stretch nor ends it.
    if (missing === undefined) return;
    if (reading.stream) this.saysSound = true;
    const { ms, began, isWhole, share } = missing;
    if (share !== undefined) {
      this.playedMs += reading.intervalMs;
      if (share > brokenShare) this.brokenMs += reading.intervalMs;
    }
    const goesOn = this.openMs > 0 ? 1 : 0;
    this.openMs = began === 0 || isWhole ? this.openMs + ms : ms / (began + goesOn);
    this.longestMs = Math.max(this.longestMs, this.openMs);
    if (ms === 0 || (began === 0 && !isWhole)) this.openMs = 0;
  }

  /** `undefined` when no second says anything about sound. */
  longest(): number | undefined {
    return this.saysSound ? this.longestMs : undefined;
  }

  /** The share of seconds that did not sound whole; `undefined` where no player says. */
  brokenPercent(): number | undefined {
    return percentOf(this.brokenMs, this.playedMs);
  }
}

interface Missing {
  readonly ms: number;
  /** How many stretches began. */
  readonly began: number;
  readonly isWhole: boolean;
  /** What of the second was made up, where a player says. */
  readonly share?: number;
}

function missingIn(reading: StreamReading): Missing | undefined {
  const { intervalMs, stream } = reading;
  if (!stream) return { ms: intervalMs, began: 0, isWhole: true };
  const { totalSamples: total, concealedSamples: concealed, concealmentEvents: began } = metricsOf(reading);
  if (total !== undefined && total > 0 && concealed !== undefined && began !== undefined) {
    const share = Math.min(1, concealed / total);
    return { ms: share * intervalMs, began, isWhole: share >= whole, share };
  }
  const { packetsReceived: packets } = metricsOf(reading);
  if (packets === undefined) return undefined;
  return packets === 0 ? { ms: intervalMs, began: 0, isWhole: true } : { ms: 0, began: 0, isWhole: false };
}
