import type { RtpPacket } from '../../rtp/rtp.js';
import { fromEar, type GstEar, type GstMouth, GstProcess, rtpSocket, toMouth } from '../mixing/gst-process.js';

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
