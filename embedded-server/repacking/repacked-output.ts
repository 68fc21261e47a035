import type { Clock } from '../../rtp/egress.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { fromEar, type GstEar, type GstMouth, GstProcess, rtpSocket, toMouth } from '../mixing/gst-process.js';
import { MixOutput } from '../mixing/mix-output.js';

/** What of sound can be parsed; anything else goes on as it came. */
const parsed = 'opus/48000';

/**
 * The sound of one sender as a server that parses it hands it on. The process starts with the first who listens; what
 * comes before it runs is lost, as in a pipeline that is still being built. `close` is idempotent.
 */
export class RepackedOutput implements MediaOutput {
  readonly kind = 'audio';
  readonly #source: MediaOutput;
  readonly #clock: Clock;
  readonly #output = new MixOutput(
    'audio',
    () => {},
    () => this.#begin(),
  );
  readonly #input: MediaInput = {
    kind: 'audio',
    maxKbps: 0,
    receive: (packet, codec, _, nowMs) => this.#take(packet, codec, nowMs),
  };
  readonly #onDead: (detail: string) => void;
  #repacker: Promise<Repacker | undefined> | undefined;
  #running: Repacker | undefined;

  /** `onDead` is called when the process ends by itself or cannot be started: then there is no sound any more. */
  constructor(source: MediaOutput, clock: Clock, onDead: (detail: string) => void) {
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

  requestKeyFrame(): void {}

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
      this.#running = await Repacker.start((packet) => this.#output.receive(packet, this.#clock.nowMs()), this.#onDead);
    } catch (error) {
      this.#onDead(error instanceof Error ? error.message : String(error));
    }
    return this.#running;
  }

  #take(packet: RtpPacket, codec: string, nowMs: number): void {
    if (codec === parsed) this.#running?.send(packet);
    else this.#output.receive(packet, nowMs, codec);
  }
}

const payloadType = 111;
/** A packet that was overtaken is waited for this long: two packets of sound. */
const jitterMs = 40;
const nowhere: GstEar = { descriptor: 0, port: 0 };

/** Opus through a GStreamer server: out of RTP, through its parser, and into RTP again; pure. */
function repackerArguments(ear: GstEar, out: GstMouth): readonly string[] {
  const caps = `application/x-rtp,media=audio,encoding-name=OPUS,payload=${payloadType},clock-rate=48000`;
  // `mode=none` keeps the sender's timestamps. Any other corrects them by when packets came, and receivers conceal the
  // difference.
  const line = [
    `${fromEar(ear, caps)} ! rtpjitterbuffer latency=${jitterMs} mode=none`,
    `! rtpopusdepay ! opusparse ! rtpopuspay pt=${payloadType}`,
    `! ${toMouth(out)}`,
  ];
  return ['-q', ...line.join(' ').split(' ')];
}

/** One GStreamer process that parses and packs the sound of one sender anew. `close` is idempotent and ends it. */
export class Repacker {
  readonly #process: GstProcess;
  readonly #port: number;

  private constructor(process: GstProcess, port: number) {
    this.#process = process;
    this.#port = port;
  }

  /** Rejects with the spawn error when `gst-launch-1.0` is missing. `onExit` is called when it ends by itself. */
  static async start(onPacket: (packet: RtpPacket) => void, onExit: (detail: string) => void): Promise<Repacker> {
    const out = await rtpSocket(onPacket);
    let port = 0;
    const argumentsOf = ([ear = nowhere]: readonly GstEar[], [mouth = nowhere]: readonly GstMouth[]) => {
      port = ear.port;
      return repackerArguments(ear, mouth);
    };
    const process = await GstProcess.start([out], 1, argumentsOf, onExit);
    return new Repacker(process, port);
  }

  send(packet: RtpPacket): void {
    this.#process.sendRtp(packet, this.#port, payloadType);
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}
