import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { Imitation } from '../imitation.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { fromEar, type GstEar, type GstMouth, GstProcess, rtpSocket, toMouth } from '../mixing/gst-process.js';
import { MixOutput } from '../mixing/mix-output.js';

/** What GStreamer makes of one sender's media of one codec; of another codec they go on as they came. */
interface Rework {
  readonly kind: MediaKind;
  readonly codec: string;
  readonly encoding: string;
  readonly payloadType: number;
  readonly clockRate: number;
  /** Out of RTP, and into it again. */
  readonly elements: string;
}

/** Opus through a GStreamer server: through its parser. */
const parsedSound: Rework = {
  kind: 'audio',
  codec: 'opus/48000',
  encoding: 'OPUS',
  payloadType: 111,
  clockRate: 48_000,
  elements: 'rtpopusdepay ! opusparse ! rtpopuspay',
};

/** Pictures of half the width and height. Nobody asks its encoder for key frames, so two a second come unasked. */
const halvedPictures: Rework = {
  kind: 'video',
  codec: 'vp8/90000',
  encoding: 'VP8',
  payloadType: 96,
  clockRate: 90_000,
  elements: [
    'rtpvp8depay wait-for-keyframe=true ! vp8dec ! queue leaky=downstream max-size-buffers=2',
    '! vp8enc deadline=1 cpu-used=8 threads=1 lag-in-frames=0 end-usage=cbr target-bitrate=250000',
    'horizontal-scaling-mode=1:2 vertical-scaling-mode=1:2 keyframe-max-dist=15',
    '! rtpvp8pay mtu=1200 picture-id-mode=15-bit',
  ].join(' '),
};

export function reworkOf(kind: MediaKind, { repack, pictureFault }: Imitation): Rework | undefined {
  if (kind === 'audio') return repack ? parsedSound : undefined;
  return pictureFault === 'half' ? halvedPictures : undefined;
}

/**
 * The sound or the pictures of one sender as a server that takes them apart hands them on. The process starts with the
 * first who receives; what comes before it runs is lost, as in a pipeline that is still being built. `close` is
 * idempotent.
 */
export class RepackedOutput implements MediaOutput {
  readonly kind: MediaKind;
  readonly #source: MediaOutput;
  readonly #clock: Clock;
  readonly #rework: Rework;
  readonly #output: MixOutput;
  readonly #input: MediaInput;
  readonly #onDead: (detail: string) => void;
  #repacker: Promise<Repacker | undefined> | undefined;
  #running: Repacker | undefined;

  /** `onDead` is called when the process ends by itself or cannot be started: then nothing of it comes any more. */
  constructor(source: MediaOutput, rework: Rework, clock: Clock, onDead: (detail: string) => void) {
    const { kind } = rework;
    this.kind = kind;
    this.#rework = rework;
    this.#output = new MixOutput(
      kind,
      () => source.requestKeyFrame(),
      () => this.#begin(),
    );
    this.#input = { kind, maxKbps: 0, receive: (packet, codec, _, nowMs) => this.#take(packet, codec, nowMs) };
    this.#source = source;
    this.#clock = clock;
    this.#onDead = onDead;
  }

  attach(input: MediaInput): void {
    this.#output.attach(input);
  }

  detach(input: MediaInput): void {
    this.#output.detach(input);
  }

  requestKeyFrame(): void {
    if (this.kind === 'video') this.#source.requestKeyFrame();
  }

  timestampAt(nowMs: number): number | undefined {
    return this.#output.timestampAt(nowMs);
  }

  async close(): Promise<void> {
    this.#source.detach(this.#input);
    await (await this.#repacker)?.close();
  }

  #begin(): void {
    this.#repacker ??= this.#start();
  }

  async #start(): Promise<Repacker | undefined> {
    this.#source.attach(this.#input);
    try {
      const handOn = (packet: RtpPacket) => this.#output.receive(packet, this.#clock.nowMs());
      this.#running = await Repacker.start(handOn, this.#onDead, this.#rework);
      this.requestKeyFrame();
    } catch (error) {
      this.#onDead(error instanceof Error ? error.message : String(error));
    }
    return this.#running;
  }

  #take(packet: RtpPacket, codec: string, nowMs: number): void {
    if (codec === this.#rework.codec) this.#running?.send(packet);
    else this.#output.receive(packet, nowMs, codec);
  }
}

/** A packet that was overtaken is waited for this long: two packets of sound. */
const jitterMs = 40;
const nowhere: GstEar = { descriptor: 0, port: 0 };

/** Pure. */
function repackerArguments({ kind, encoding, payloadType, clockRate, elements }: Rework, ear: GstEar, out: GstMouth) {
  const caps = `application/x-rtp,media=${kind},encoding-name=${encoding},payload=${payloadType},clock-rate=${clockRate}`;
  // `mode=none` keeps the sender's timestamps. Any other corrects them by when packets came, and receivers conceal the
  // difference.
  const line = [
    `${fromEar(ear, caps)} ! rtpjitterbuffer latency=${jitterMs} mode=none`,
    `! ${elements} pt=${payloadType}`,
    `! ${toMouth(out)}`,
  ];
  return ['-q', ...line.join(' ').split(' ')];
}

/** One GStreamer process for the sound or the pictures of one sender. `close` is idempotent and ends it. */
export class Repacker {
  readonly #process: GstProcess;
  readonly #port: number;
  readonly #payloadType: number;

  private constructor(process: GstProcess, port: number, payloadType: number) {
    this.#process = process;
    this.#port = port;
    this.#payloadType = payloadType;
  }

  /** Rejects with the spawn error when `gst-launch-1.0` is missing. `onExit` is called when it ends by itself. */
  static async start(
    onPacket: (packet: RtpPacket) => void,
    onExit: (detail: string) => void,
    rework: Rework = parsedSound,
  ): Promise<Repacker> {
    const out = await rtpSocket(onPacket);
    let port = 0;
    const argumentsOf = ([ear = nowhere]: readonly GstEar[], [mouth = nowhere]: readonly GstMouth[]) => {
      port = ear.port;
      return repackerArguments(rework, ear, mouth);
    };
    const process = await GstProcess.start([out], 1, argumentsOf, onExit);
    return new Repacker(process, port, rework.payloadType);
  }

  send(packet: RtpPacket): void {
    this.#process.sendRtp(packet, this.#port, this.#payloadType);
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}
