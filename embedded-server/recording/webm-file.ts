import { type FileHandle, open } from 'node:fs/promises';
import { DepacketizeBase, JitterBufferBase, RtpPacket as ParsedRtp, WebmBase } from 'werift/nonstandard';
import type { MediaKind } from '../../model/scenario.js';
import { type RtpPacket, writeRtpHeader } from '../media/rtp.js';

const clockRates: Readonly<Record<MediaKind, number>> = { audio: 48_000, video: 90_000 };

/** RTP of one VP8 and one Opus stream in, a WebM file out. Writes are in order; an error of one is an error of `close`. */
export class WebmFile {
  readonly #file: FileHandle;
  readonly #muxer: Muxer;
  readonly #tracks: Readonly<Record<MediaKind, Track>>;
  #written = 0;
  #work: Promise<void> = Promise.resolve();
  #failed: unknown;
  #closing: Promise<void> | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
    this.#muxer = new Muxer((output) => {
      if (output.saveToFile !== undefined) this.#append(output.saveToFile);
      else if (output.eol !== undefined) this.#complete(output.eol.header);
    });
    this.#tracks = { audio: new Track('audio'), video: new Track('video') };
    this.#muxer.begin();
  }

  /** Creates or truncates the file. Rejects with the file system's error (ENOENT, EACCES …). */
  static async create(path: string): Promise<WebmFile> {
    return new WebmFile(await open(path, 'w'));
  }

  /** `atMs` is when the packet came, on one clock for both kinds: it places sound and picture against each other. */
  write(kind: MediaKind, packet: RtpPacket, atMs: number): void {
    if (this.#closing !== undefined || this.#failed !== undefined) return;
    for (const frame of this.#tracks[kind].frames(packet, atMs)) {
      if (kind === 'video') this.#muxer.processVideoInput({ frame });
      else this.#muxer.processAudioInput({ frame });
    }
  }

  /** Writes the header's duration and closes. Idempotent; rejects with the first error of writing. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#muxer.stop();
    await this.#work;
    await this.#file.close();
    if (this.#failed !== undefined) throw this.#failed;
  }

  #append(bytes: Buffer): void {
    this.#queue(async () => {
      await this.#file.write(bytes, 0, bytes.length, this.#written);
      this.#written += bytes.length;
    });
  }

  /** Only the header gets its duration: clusters have no size, so the segment around them may have none either. */
  #complete(header: Buffer): void {
    this.#queue(async () => {
      await this.#file.write(header, 0, header.length, 0);
    });
  }

  #queue(act: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#failed !== undefined) return;
      try {
        await act();
      } catch (error) {
        this.#failed = error;
      }
    });
  }
}

class Muxer extends WebmBase {
  constructor(output: ConstructorParameters<typeof WebmBase>[1]) {
    super(
      [
        { kind: 'video', codec: 'VP8', clockRate: clockRates.video, trackNumber: 1, width: 640, height: 360 },
        { kind: 'audio', codec: 'OPUS', clockRate: clockRates.audio, trackNumber: 2 },
      ],
      output,
      { duration: 24 * 3_600_000 },
    );
  }

  begin(): void {
    this.start();
  }
}

interface Frame {
  readonly data: Buffer;
  readonly isKeyframe: boolean;
  readonly time: number;
}

/** Packets of one stream put in order and joined to whole frames, with times in milliseconds on the recorder's line. */
class Track {
  readonly #kind: MediaKind;
  readonly #clockRate: number;
  readonly #jitterBuffer: JitterBufferBase;
  readonly #depacketizer: DepacketizeBase;
  #first: { readonly timestamp: number; readonly atMs: number } | undefined;

  #begun = false;

  constructor(kind: MediaKind) {
    this.#kind = kind;
    this.#clockRate = clockRates[kind];
    this.#jitterBuffer = new JitterBufferBase(this.#clockRate, { latency: 200 });
    this.#depacketizer = new DepacketizeBase(kind === 'video' ? 'vp8' : 'opus', {
      isFinalPacketInSequence: (header) => kind === 'audio' || header.marker,
      waitForKeyframe: kind === 'video',
    });
  }

  frames(packet: RtpPacket, atMs: number): readonly Frame[] {
    if (!this.#begun && !this.#beginsWith(packet)) return [];
    this.#begun = true;
    this.#first ??= { timestamp: packet.timestamp, atMs };
    // The jitter buffer keeps packets, and what was received is only lent.
    const header = writeRtpHeader({ ...packet, absSendTimeId: undefined, nowMs: 0 });
    const rtp = ParsedRtp.deSerialize(Buffer.concat([header, packet.payload]));
    return this.#jitterBuffer.processInput({ rtp }).flatMap((ordered) => {
      if (ordered.rtp === undefined) return [];
      const time = this.#timeOf(ordered.rtp.header.timestamp);
      return this.#depacketizer
        .processInput({ rtp: ordered.rtp, time })
        .flatMap((output) => (output.frame === undefined ? [] : [output.frame]));
    });
  }

  /** Recording starts at any packet: the rest of a frame whose head went by must not be taken for a frame. */
  #beginsWith({ payload }: RtpPacket): boolean {
    return this.#kind === 'audio' || startsKeyFrame(payload);
  }

  #timeOf(timestamp: number): number {
    const first = this.#first ?? { timestamp, atMs: 0 };
    return Math.round(first.atMs + ((timestamp - first.timestamp) | 0) / (this.#clockRate / 1000));
  }
}

/** Whether this is the first packet of a VP8 key frame: descriptor (RFC 7741, 4.2) and first bit of the frame (RFC 6386, 9.1). */
export function startsKeyFrame(payload: Uint8Array): boolean {
  const [first = 0, extensions = 0] = payload;
  const startsPartition0 = (first & 0x10) !== 0 && (first & 0x07) === 0;
  if (!startsPartition0) return false;
  let at = 1;
  if ((first & 0x80) !== 0) {
    at += 1;
    if ((extensions & 0x80) !== 0) at += ((payload[at] ?? 0) & 0x80) === 0 ? 1 : 2;
    if ((extensions & 0x40) !== 0) at += 1;
    if ((extensions & 0x30) !== 0) at += 1;
  }
  const head = payload[at];
  return head !== undefined && (head & 0x01) === 0;
}
