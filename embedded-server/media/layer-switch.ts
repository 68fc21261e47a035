import type { LayerName } from '../../model/layer.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { IncomingTrack } from './incoming-track.js';
import type { MediaInput, MediaOutput } from './ports.js';

/** One in so many packets of a starved layer is kept back. */
const starvedOneIn = 40;

/** Between the layers of a video and one who receives it: hands on one layer, and turns to another at its key frame. */
export class LayerSwitch implements MediaInput {
  readonly kind = 'video';
  readonly #input: MediaInput;
  #current: IncomingTrack | undefined;
  #next: IncomingTrack | undefined;
  /** A fault on purpose: the layer whose packets are not all handed on. */
  readonly #starved: IncomingTrack | undefined;
  #packets = 0;

  constructor(input: MediaInput, starved: IncomingTrack | undefined) {
    this.#input = input;
    this.#starved = starved;
  }

  get maxKbps(): number {
    return this.#input.maxKbps;
  }

  get estimateBps(): number {
    return this.#input.estimateBps ?? 0;
  }

  get layer(): LayerName {
    return this.#input.layer ?? 'high';
  }

  /** The one before goes on until the first key frame of this one, which is asked for. */
  turnTo(track: IncomingTrack): void {
    if (track === (this.#next ?? this.#current)) return;
    this.#next?.detach(this);
    this.#next = track === this.#current ? undefined : track;
    this.#next?.attach(this);
  }

  receive(packet: RtpPacket, codec: string, from: MediaOutput, nowMs: number): void {
    if (from === this.#next && beginsKeyFrame(codec, packet.payload) !== false) {
      this.#current?.detach(this);
      this.#current = this.#next;
      this.#next = undefined;
    }
    if (from !== this.#current) return;
    this.#packets += 1;
    if (from === this.#starved && this.#packets % starvedOneIn === 0) return;
    this.#input.receive(packet, codec, from, nowMs);
  }

  close(): void {
    this.#current?.detach(this);
    this.#next?.detach(this);
  }
}
