import type { MediaKind } from '../../model/scenario.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import type { RtpPacket } from '../media/rtp.js';
import { LossWatch } from './loss-watch.js';
import { MixOutput } from './mix-output.js';
import { mixJitterMs } from './mixer-pipeline.js';

/** Codecs that the mixer decodes. */
const decodable: Readonly<Record<MediaKind, string>> = { audio: 'opus', video: 'vp8' };

/** What a room knows of one member. */
export class SeatState {
  readonly inputs: Readonly<Record<MediaKind, MediaInput>>;
  readonly outputs: Readonly<Record<MediaKind, MixOutput>>;
  readonly #losses = new LossWatch(mixJitterMs);
  #videoSource: MediaOutput | undefined;

  constructor(feed: (kind: MediaKind, packet: RtpPacket) => void, requestKeyFrame: () => void) {
    const input = (kind: MediaKind): MediaInput => ({
      kind,
      // What goes into a Composite is not capped, as in Kurento.
      maxKbps: 0,
      receive: (packet, codec, from, nowMs) => {
        if (!codec.startsWith(decodable[kind])) return;
        if (kind === 'video') this.#noteVideo(packet, from, nowMs);
        feed(kind, packet);
      },
    });
    this.inputs = { audio: input('audio'), video: input('video') };
    this.outputs = { audio: new MixOutput('audio', () => {}), video: new MixOutput('video', requestKeyFrame) };
  }

  #noteVideo(packet: RtpPacket, from: MediaOutput, nowMs: number): void {
    this.#videoSource = from;
    if (this.#losses.note(packet, nowMs)) from.requestKeyFrame();
  }

  get sendsVideo(): boolean {
    return this.#videoSource !== undefined;
  }

  askSourceForKeyFrame(): void {
    this.#videoSource?.requestKeyFrame();
  }
}
