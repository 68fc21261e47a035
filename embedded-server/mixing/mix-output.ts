import type { MediaKind } from '../../model/scenario.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { FanOut } from '../media/fan-out.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';

/**
 * One stream of a mixer, as a source for endpoints. Each mixer process begins a new RTP stream, with another SSRC,
 * sequence and timestamps; what it is attached to (SendStream) makes them one seamless stream.
 */
export class MixOutput implements MediaOutput {
  readonly kind: MediaKind;
  readonly #clockRate: number;
  readonly #codec: string;
  readonly #askKeyFrame: () => void;
  readonly #onReceivers: () => void;
  readonly #inputs = new FanOut();
  /** RTP timestamp of a packet and when it came: mixers send what they make at once. */
  #mark: { readonly timestamp: number; readonly atMs: number } | undefined;

  /** `onReceivers` is called when somebody begins or ends to receive it. */
  constructor(kind: MediaKind, askKeyFrame: () => void, onReceivers: () => void) {
    this.kind = kind;
    this.#onReceivers = onReceivers;
    this.#clockRate = kind === 'video' ? 90_000 : 48_000;
    this.#codec = kind === 'video' ? 'vp8/90000' : 'opus/48000';
    this.#askKeyFrame = askKeyFrame;
  }

  get isReceived(): boolean {
    return this.#inputs.inputs.length > 0;
  }

  attach(input: MediaInput): void {
    this.#inputs.add(input);
    this.requestKeyFrame();
    this.#onReceivers();
  }

  detach(input: MediaInput): void {
    this.#inputs.remove(input);
    this.#onReceivers();
  }

  receive(packet: RtpPacket, nowMs: number, codec = this.#codec): void {
    this.#mark = { timestamp: packet.timestamp, atMs: nowMs };
    this.#inputs.handOn(packet, codec, this, nowMs);
  }

  requestKeyFrame(): void {
    if (this.kind === 'video') this.#askKeyFrame();
  }

  timestampAt(nowMs: number): number | undefined {
    if (this.#mark === undefined) return undefined;
    return (this.#mark.timestamp + Math.round(((nowMs - this.#mark.atMs) * this.#clockRate) / 1000)) >>> 0;
  }
}
