import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { type RtpPacket, readRtp, writeRtpHeader } from '../../rtp/rtp.js';
import { socketHandle } from '../../rtp/socket-handle.js';
import { gstCommand } from './gst-command.js';

/** A `gst-launch-1.0` and its loopback sockets, in and out. `close` is idempotent and ends all of them. */
export class GstProcess {
  readonly #process: ChildProcess;
  readonly #sockets: readonly Socket[];
  readonly #sender: Socket;
  #closed = false;

  private constructor(process: ChildProcess, sockets: readonly Socket[], sender: Socket) {
    this.#process = process;
    this.#sockets = sockets;
    this.#sender = sender;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * Starts it with the arguments for so many ears, and a mouth to each of `heard`. Those close with it, also when it
   * cannot be started. Rejects with the spawn error when `gst-launch-1.0` is missing. `onExit` is called when it ends
   * by itself, and not after `close`.
   */
  static async start(
    heard: readonly Socket[],
    earCount: number,
    argumentsOf: (ears: readonly GstEar[], mouths: readonly GstMouth[]) => readonly string[],
    onExit: (detail: string) => void,
  ): Promise<GstProcess> {
    const sockets = [...heard];
    const given: Socket[] = [];
    try {
      const sender = await boundSocket(() => {}, sockets);
      for (let nth = 0; nth < earCount; nth += 1) await listenTo(sender, await boundSocket(() => {}, given));
      for (const ear of heard) await speakTo(ear, await boundSocket(() => {}, given));
      const { words, env, files } = await gstCommand();
      const [program = '', ...before] = words;
      const ends = given.map((socket, nth) => ({
        descriptor: standardStreams + files.length + nth,
        port: socket.address().port,
      }));
      const child = spawn(program, [...before, ...argumentsOf(ends.slice(0, earCount), ends.slice(earCount))], {
        cwd: '/',
        env,
        stdio: ['ignore', 'ignore', 'pipe', ...files, ...given.map(descriptorOf)],
      });
      const started = new GstProcess(child, sockets, sender);
      started.#watch(onExit);
      await once(child, 'spawn');
      return started;
    } catch (error) {
      for (const socket of sockets) socket.close();
      throw error;
    } finally {
      for (const socket of given) socket.close();
    }
  }

  /** One RTP packet to a port of its own. */
  sendRtp(packet: RtpPacket, port: number | undefined, payloadType: number): void {
    if (this.#closed || port === undefined) return;
    const header = writeRtpHeader({ ...packet, payloadType, absSendTimeId: undefined, nowMs: 0 });
    this.#sender.send([header, packet.payload], port, '127.0.0.1');
  }

  send(packet: Buffer, port: number): void {
    if (!this.#closed) this.#sender.send(packet, port, '127.0.0.1');
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

  #watch(onExit: (detail: string) => void): void {
    let said = '';
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-400);
    });
    const gone = (detail: string): void => {
      if (!this.#closed) onExit(detail);
    };
    this.#process.on('error', (error) => gone(error.message));
    this.#process.on('exit', (code, signal) =>
      gone(`gst-launch-1.0 ended with ${signal ?? `code ${code}`}: ${said.trim()}`),
    );
  }
}

export function rtpSocket(onPacket: (packet: RtpPacket) => void): Promise<Socket> {
  return boundSocket((datagram) => {
    const packet = readRtp(datagram);
    if (packet !== undefined) onPacket(packet);
  });
}

/** @param all gets it at once: whoever closes these closes it */
async function boundSocket(onMessage: (message: Buffer) => void, all: Socket[] = []): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
  all.push(socket);
  socket.on('message', onMessage);
  socket.on('error', () => {});
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** Where a process hears this one: the descriptor of a socket that it is given, and the port of that. */
export interface GstEar {
  readonly descriptor: number;
  readonly port: number;
}

const standardStreams = 3;

/** A source for what is sent there. Each read of the socket is a packet, stamped with its arrival. */
export const fromEar = ({ descriptor }: GstEar, caps: string): string =>
  `fdsrc fd=${descriptor} do-timestamp=true ! ${caps}`;

/** Where a process speaks: the descriptor of a socket that it is given. */
export interface GstMouth {
  readonly descriptor: number;
}

/** A sink for what is said there. Each writing is a datagram; `identity` takes lists of packets apart. */
export const toMouth = ({ descriptor }: GstMouth): string =>
  `identity silent=true ! fdsink fd=${descriptor} sync=false async=false`;

/** The kernel lets only the sender through: any user can send to a socket that a process opens on loopback. */
async function listenTo(sender: Socket, socket: Socket): Promise<void> {
  socket.connect(sender.address().port, '127.0.0.1');
  await once(socket, 'connect');
  // What came before is read here, and let go of.
  await turn();
}

/** `ear` hears nobody else. */
async function speakTo(ear: Socket, mouth: Socket): Promise<void> {
  mouth.connect(ear.address().port, '127.0.0.1');
  await once(mouth, 'connect');
  await listenTo(mouth, ear);
}

interface Reading {
  readonly fd: number;
  recvStop(): void;
}

/** Of a socket that is read here no more. */
function descriptorOf(socket: Socket): number {
  const handle = socketHandle(socket, isReading);
  if (!handle) throw new Error('this Node does not tell the descriptor of a socket');
  handle.recvStop();
  return handle.fd;
}

function isReading(handle: unknown): handle is Reading {
  if (typeof handle !== 'object' || handle === null) return false;
  return typeof Reflect.get(handle, 'recvStop') === 'function' && Number(Reflect.get(handle, 'fd')) >= 0;
}
