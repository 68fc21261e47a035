import type { Ask } from '../../model/layer.js';
import type { MediaKind } from '../../model/scenario.js';
import type { RtpPacket } from '../../rtp/rtp.js';

/** Where RTP comes out of an element: what one browser sends, or what a mixer makes. */
export interface MediaOutput {
  readonly kind: MediaKind;
  attach(input: MediaInput): void;
  detach(input: MediaInput): void;
  /** Asks the sender for a key frame. Callers need not be sparing: the output limits the rate. */
  requestKeyFrame(): void;
  /** RTP timestamp, on the output's own line, of what is captured at `nowMs`; `undefined` while that is unknown. */
  timestampAt(nowMs: number): number | undefined;
}

/** What one who receives a video asks for of it. */
export class Shown {
  #ask: Ask = 'high';
  /** Set by the source that has layers: it is told of each change. */
  onAsk: (() => void) | undefined;

  get ask(): Ask {
    return this.#ask;
  }

  askFor(ask: Ask): void {
    this.#ask = ask;
    this.onAsk?.();
  }
}

/** Where RTP goes into an element. An input has at most one output at a time. */
export interface MediaInput {
  readonly kind: MediaKind;
  /** Video rate this input lets its sender have, kbit/s; zero for no cap. */
  readonly maxKbps: number;
  /** What the receiver says that its link carries, bit/s (REMB); zero or absent while it has not said. */
  readonly estimateBps?: number;
  /** Of a video; absent: the highest layer. */
  readonly shown?: Shown | undefined;
  /** Nobody watches what comes here while it comes: whoever is watched is served first. */
  readonly unwatched?: true;
  /** `codec` is a key of `codecKey`. `packet` is only lent for the call; its payload may be kept. */
  receive(packet: RtpPacket, codec: string, from: MediaOutput, nowMs: number): void;
}
