import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type RtpPacket, readRtp, writeRtpHeader } from '../media/rtp.js';
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
  readonly #process: ChildProcess;
  readonly #ports: MixerPorts;
  readonly #sockets: readonly Socket[];
  readonly #sender: Socket;
  #closed = false;

  private constructor(process: ChildProcess, ports: MixerPorts, sockets: readonly Socket[], sender: Socket) {
    this.#process = process;
    this.#ports = ports;
    this.#sockets = sockets;
    this.#sender = sender;
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
    const sender = await boundSocket(() => {});
    const sockets = [video, ...audio, sender];
    try {
      const ports = await choosePorts(video, audio);
      const child = spawn('gst-launch-1.0', [...mixerArguments(ports, format)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const mixer = new Mixer(child, ports, sockets, sender);
      mixer.#watch(listener);
      await once(child, 'spawn');
      return mixer;
    } catch (error) {
      for (const socket of sockets) socket.close();
      throw error;
    }
  }

  sendVideo(index: number, packet: RtpPacket): void {
    this.#send(packet, this.#ports.members[index]?.videoIn, mixedVideoPayloadType);
  }

  sendAudio(index: number, packet: RtpPacket): void {
    this.#send(packet, this.#ports.members[index]?.audioIn, mixedAudioPayloadType);
  }

  /** Asks the shared encoder for a key frame with an RTCP PLI (RFC 4585 6.3.1) behind an empty receiver report. */
  requestKeyFrame(): void {
    if (this.#closed) return;
    const packet = Buffer.alloc(20);
    packet.writeUInt32BE(0x80c90001, 0);
    packet.writeUInt32BE(1, 4);
    packet.writeUInt32BE(0x81ce0002, 8);
    packet.writeUInt32BE(1, 12);
    packet.writeUInt32BE(this.#ports.videoSsrc, 16);
    this.#sender.send(packet, this.#ports.rtcpIn, '127.0.0.1');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const socket of this.#sockets) socket.close();
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    // Nothing of the process is worth a clean end: its output goes nowhere but to our closed sockets.
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  #send(packet: RtpPacket, port: number | undefined, payloadType: number): void {
    if (this.#closed || port === undefined) return;
    const header = writeRtpHeader({ ...packet, payloadType, absSendTimeId: undefined, nowMs: 0 });
    this.#sender.send([header, packet.payload], port, '127.0.0.1');
  }

  #watch(listener: MixerListener): void {
    let said = '';
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-400);
    });
    const gone = (detail: string): void => {
      if (this.#closed) return;
      listener.onExit(detail);
    };
    this.#process.on('error', (error) => gone(error.message));
    this.#process.on('exit', (code, signal) =>
      gone(`gst-launch-1.0 ended with ${signal ?? `code ${code}`}: ${said.trim()}`),
    );
  }
}

function rtpSocket(onPacket: (packet: RtpPacket) => void): Promise<Socket> {
  return boundSocket((datagram) => {
    const packet = readRtp(datagram);
    if (packet !== undefined) onPacket(packet);
  });
}

async function boundSocket(onMessage: (message: Buffer) => void): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
  socket.on('message', onMessage);
  socket.on('error', () => {});
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** Ports for the process to bind are found by binding and letting go of them: gst-launch cannot tell which it took. */
async function choosePorts(video: Socket, audio: readonly Socket[]): Promise<MixerPorts> {
  const held = await Promise.all(Array.from({ length: audio.length * 2 + 1 }, () => boundSocket(() => {})));
  const free = held.map((socket) => socket.address().port);
  await Promise.all(
    held.map(async (socket) => {
      socket.close();
      await once(socket, 'close');
    }),
  );
  return {
    members: audio.map((socket, index) => ({
      videoIn: free[2 * index + 1] ?? 0,
      audioIn: free[2 * index + 2] ?? 0,
      audioOut: socket.address().port,
    })),
    videoOut: video.address().port,
    rtcpIn: free[0] ?? 0,
    videoSsrc: randomBytes(4).readUInt32BE(),
  };
}
