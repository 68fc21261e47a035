import { ReceivedRate } from '../../rtp/received-rate.js';
import { WayEstimate } from '../../rtp/way-estimate.js';
import type { MediaInput } from './ports.js';

/** What "no cap" means in a REMB, bit/s. */
const unlimitedBps = 100_000_000;
const videoClockRate = 90_000;
/** A packet that may have waited longer for this process says nothing of its link: well below what is a queue there. */
const ownLagMostMs = 20;

/** What is capped: a video, or all its layers. */
export interface CappedVideo {
  readonly inputs: readonly Pick<MediaInput, 'maxKbps' | 'estimateBps'>[];
  readonly bytes: number;
}

export interface VideoCapOptions {
  readonly video: () => CappedVideo;
  /** Whether estimates of links count, too. */
  readonly followEstimates: boolean;
  readonly maxVideoRecvKbps: () => number;
  readonly maxVideoSendKbps: () => number;
  /** However slow links are estimated to be, senders are not told less, kbit/s. */
  readonly minVideoKbps: () => number;
}

/** What the sender of an endpoint's video may send. */
export class VideoCap {
  readonly #options: VideoCapOptions;
  readonly #upLink = new WayEstimate(videoClockRate);
  #upLinkBps = Number.POSITIVE_INFINITY;
  readonly #rate = new ReceivedRate<VideoCap>();

  constructor(options: VideoCapOptions) {
    this.#options = options;
  }

  /** A packet of the sender's video has come, and may have waited so long for this process. */
  note(timestamp: number, nowMs: number, ownLagMs = 0): void {
    if (this.#options.followEstimates && ownLagMs <= ownLagMostMs) this.#upLink.note(timestamp, nowMs);
  }

  eachSecond(nowMs: number): void {
    const rate = this.#rate.since(nowMs, [[this, this.#options.video().bytes]]);
    if (rate) this.#upLinkBps = this.#upLink.after(rate.seconds, rate.bps);
  }

  /** bit/s. */
  get bps(): number {
    const { video, followEstimates, maxVideoRecvKbps, maxVideoSendKbps, minVideoKbps } = this.#options;
    const { inputs } = video();
    const caps = [maxVideoRecvKbps(), ...inputs.map((input) => input.maxKbps)];
    if (inputs.length === 0) caps.push(maxVideoSendKbps());
    const limits = caps.filter((kbps) => kbps > 0).map((kbps) => kbps * 1000);
    const capped = Math.min(unlimitedBps, ...limits);
    if (!followEstimates) return capped;
    const receivers = inputs.flatMap(({ estimateBps = 0 }) => (estimateBps > 0 ? [estimateBps] : []));
    const carried = Math.min(this.#upLinkBps, ...receivers);
    return Math.min(capped, Math.max(minVideoKbps() * 1000, carried));
  }
}
