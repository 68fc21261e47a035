import { randomBytes } from 'node:crypto';
import type { RtpPacket } from '../../rtp/rtp.js';
import { type GstEar, type GstMouth, GstProcess, rtpSocket } from './gst-process.js';
import {
  compositeFormat,
  type MixerFormat,
  type MixerPorts,
  mixedAudioPayloadType,
  mixedVideoPayloadType,
  mixerArguments,
} from './mixer-pipeline.js';

export interface MixerListener {
  /** One RTP packet of the shared picture (VP8); its payload is the receiver's to keep. */
  onVideo(packet: RtpPacket): void;
  /** One RTP packet of member `index`'s own mix (Opus). */
  onAudio(index: number, packet: RtpPacket): void;
  /** The first packet came out, of the picture where there is one: from here on the process hears what it is sent. */
  onPlaying(): void;
  /** The process ended by itself; not called after `close`. */
  onExit(detail: string): void;
}

/**
 * One GStreamer process that mixes a room of a fixed number of members.
 * `close` is idempotent and ends the process and its sockets.
 */
export class Mixer {
  readonly #process: GstProcess;
  readonly #ports: MixerPorts;

  readonly #isPlaying: () => boolean;

  private constructor(process: GstProcess, ports: MixerPorts, isPlaying: () => boolean) {
    this.#process = process;
    this.#ports = ports;
    this.#isPlaying = isPlaying;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Starts the process; rejects with the spawn error when `gst-launch-1.0` is missing. */
  static async start(
    memberCount: number,
    listener: MixerListener,
    format: MixerFormat = compositeFormat,
  ): Promise<Mixer> {
    let playing = false;
    const begin = (): void => {
      if (!playing) listener.onPlaying();
      playing = true;
    };
    const video = await rtpSocket((packet) => {
      listener.onVideo(packet);
      begin();
    });
    const hear = (index: number) => (packet: RtpPacket) => {
      listener.onAudio(index, packet);
      if (format.soundOnly) begin();
    };
    const audio = await Promise.all(Array.from({ length: memberCount }, (_, index) => rtpSocket(hear(index))));
    let ports: MixerPorts | undefined;
    const argumentsOf = (ears: readonly GstEar[], mouths: readonly GstMouth[]): readonly string[] => {
      ports = portsOf(memberCount, ears, mouths);
      return mixerArguments(ports, format);
    };
    const onExit = (detail: string) => listener.onExit(detail);
    const process = await GstProcess.start([video, ...audio], 2 * memberCount + 1, argumentsOf, onExit);
    if (!ports) throw new Error('it was started without its ports');
    return new Mixer(process, ports, () => playing);
  }

  /** Drops what comes before it plays: without a clock to stamp it by, that member would never be heard. */
  sendVideo(index: number, packet: RtpPacket): void {
    if (!this.#isPlaying()) return;
    this.#process.sendRtp(packet, this.#ports.members[index]?.videoIn.port, mixedVideoPayloadType);
  }

  /** The same. */
  sendAudio(index: number, packet: RtpPacket): void {
    if (!this.#isPlaying()) return;
    this.#process.sendRtp(packet, this.#ports.members[index]?.audioIn.port, mixedAudioPayloadType);
  }

  /** Asks the shared encoder for a key frame with an RTCP PLI (RFC 4585 6.3.1) behind an empty receiver report. */
  requestKeyFrame(): void {
    const packet = Buffer.alloc(20);
    packet.writeUInt32BE(0x80c90001, 0);
    packet.writeUInt32BE(1, 4);
    packet.writeUInt32BE(0x81ce0002, 8);
    packet.writeUInt32BE(1, 12);
    packet.writeUInt32BE(this.#ports.videoSsrc, 16);
    this.#process.send(packet, this.#ports.rtcpIn.port);
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

/** The picture first, then members in their order. */
function portsOf(memberCount: number, ears: readonly GstEar[], mouths: readonly GstMouth[]): MixerPorts {
  const ear = (nth: number): GstEar => ears[nth] ?? { descriptor: 0, port: 0 };
  const mouth = (nth: number): GstMouth => mouths[nth] ?? { descriptor: 0 };
  return {
    members: Array.from({ length: memberCount }, (_, index) => ({
      videoIn: ear(2 * index + 1),
      audioIn: ear(2 * index + 2),
      audioOut: mouth(index + 1),
    })),
    videoOut: mouth(0),
    rtcpIn: ear(0),
    videoSsrc: randomBytes(4).readUInt32BE(),
  };
}
