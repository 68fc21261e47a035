import type { Socket } from 'node:dgram';
import type { ForeignMemory } from '../host/foreign-calls.js';
import { type Departing, Outbox } from '../host/outbox.js';
import { addressOf, datagramsMost, type SocketAddress, type SocketCalls, socketAddress } from './socket-calls.js';
import { socketHandle } from './socket-handle.js';

/** What seems to have waited for longer, or to come from the future, was told of while somebody set the clock. */
const waitMostMs = 10_000;

/**
 * What a server sends at once that was held for a second fits into it; a kernel that allows less gives less. The usual
 * 208 KiB take some 90 packets of video.
 */
const waitingBytes = 1024 * 1024;

/** What is left then is read the next time. */
const roundsMost = 8;

/** `datagram` is written over by the next one; `atMs` is when it came, by `performance.now()`. */
export type OnDatagram = (datagram: Buffer, port: number, address: string, atMs: number) => void;

/** Sends a datagram to an IPv4 address in figures. Its memory is free when that returns. */
export type SendDatagram = (datagram: Buffer, port: number, address: string) => void;

interface Polled {
  readonly onDatagram: OnDatagram;
  /** Of who sent last. */
  sender: number;
  address: string;
}

/**
 * UDP sockets of Node that are read all together, past Node, when it suits, and sent from at once. It costs a fraction
 * of being woken for each datagram, and when each came is known from the kernel, however late it is read.
 */
export class PolledSockets {
  readonly #calls: SocketCalls;
  readonly #byFd = new Map<number, Polled>();
  /** Where what is sent from them waits while it is open. */
  readonly outbox: Outbox;

  constructor(calls: SocketCalls) {
    this.#calls = calls;
    this.outbox = new Outbox((bytes) => calls.memory(bytes));
  }

  /**
   * Takes over an IPv4 socket that is bound, until it is closed; nobody else hears of its datagrams then. Returns what
   * sends from it; `undefined` where Node does not tell what the socket is, and it goes on as it was.
   */
  take(socket: Socket, onDatagram: OnDatagram): SendDatagram | undefined {
    const handle = socketHandle(socket, isOpen);
    if (!handle || socket.address().family !== 'IPv4' || !this.#calls.watch(handle.fd)) return undefined;
    const { fd } = handle;
    handle.recvStop();
    socket.setRecvBufferSize(waitingBytes);
    this.#byFd.set(fd, { onDatagram, sender: 0, address: '' });
    socket.once('close', () => this.#closed(fd, onDatagram));
    return senderOf(this.#calls, { socket, open: untilClosed(handle) }, this.outbox);
  }

  /** Another socket may have got the number by now. */
  #closed(fd: number, onDatagram: OnDatagram): void {
    if (this.#byFd.get(fd)?.onDatagram === onDatagram) this.#byFd.delete(fd);
  }

  /** How many it has. */
  get count(): number {
    return this.#byFd.size;
  }

  /** Reads what is there, of each socket no more than so much that the others have their turn. */
  read(): void {
    for (let round = 0, hasMore = true; hasMore && round < roundsMost; round += 1) hasMore = this.#readOnce();
  }

  /** Returns whether a socket may have more to read. */
  #readOnce(): boolean {
    const ready = this.#calls.look();
    const lookedAtMs = performance.now();
    let hasMore = false;
    for (let nth = 0; nth < ready; nth += 1) {
      const fd = this.#calls.readyAt(nth);
      const polled = this.#byFd.get(fd);
      if (polled && this.#readOne(fd, polled, lookedAtMs) === datagramsMost) hasMore = true;
    }
    return hasMore;
  }

  #readOne(fd: number, polled: Polled, lookedAtMs: number): number {
    const count = this.#calls.receive(fd);
    for (let nth = 0; nth < count; nth += 1) {
      const sender = this.#calls.sender(nth);
      if (sender !== polled.sender) {
        polled.sender = sender;
        polled.address = addressOf(sender);
      }
      const waitedMs = this.#calls.waitedMs(nth);
      const atMs = Math.abs(waitedMs) > waitMostMs ? lookedAtMs : lookedAtMs - waitedMs;
      polled.onDatagram(this.#calls.datagram(nth), this.#calls.senderPort(nth), polled.address, atMs);
    }
    return count;
  }
}

/** Sends from an IPv4 socket that Node reads, without Node's queue; `undefined` where Node hides the socket. */
export function directSender(calls: SocketCalls, socket: Socket): SendDatagram | undefined {
  const handle = socketHandle(socket, isOpen);
  if (!handle || socket.address().family !== 'IPv4') return undefined;
  return senderOf(calls, { socket, open: untilClosed(handle) });
}

/** Sends from a socket of Node past it. */
interface Sending {
  readonly socket: Socket;
  readonly open: Open;
}

function senderOf(calls: SocketCalls, sending: Sending, outbox?: Outbox): SendDatagram {
  let addressee: Addressee | undefined;
  return (datagram, port, address) => {
    if (port !== addressee?.port || address !== addressee.address)
      addressee = new Addressee(calls, sending, port, address);
    if (!outbox?.put(addressee, datagram)) addressee.send(datagram);
  };
}

/** To whom a socket sends. */
class Addressee implements Departing {
  readonly port: number;
  readonly address: string;
  readonly #calls: SocketCalls;
  readonly #socket: Socket;
  readonly #open: Open;
  readonly #to: SocketAddress;

  constructor(calls: SocketCalls, { socket, open }: Sending, port: number, address: string) {
    this.#calls = calls;
    this.#socket = socket;
    this.#open = open;
    this.port = port;
    this.address = address;
    this.#to = socketAddress(address, port);
  }

  send(datagram: Buffer): void {
    const { fd } = this.#open;
    if (fd >= 0 && !this.#calls.send(fd, datagram, this.#to)) this.#wait(datagram);
  }

  sendFrom({ address, bytes }: ForeignMemory, from: number, to: number): void {
    const { fd } = this.#open;
    if (fd >= 0 && !this.#calls.sendFrom(fd, address + from, to - from, this.#to)) this.#wait(bytes.subarray(from, to));
  }

  /** What the kernel has no room for now waits in Node's own queue. */
  #wait(datagram: Buffer): void {
    this.#socket.send(Buffer.from(datagram), this.port, this.address);
  }
}

interface Handle {
  /** Below zero once it is closed. */
  readonly fd: number;
  recvStop(): void;
  close(...how: unknown[]): unknown;
}

interface Open {
  /** Below zero once the socket is closed: its number may be another's then. */
  fd: number;
}

/** Asking the handle itself each time costs as much as a tenth of sending. */
function untilClosed(handle: Handle): Open {
  const open = { fd: handle.fd };
  const { close } = handle;
  handle.close = (...how) => {
    open.fd = -1;
    return close.apply(handle, how);
  };
  return open;
}

function isOpen(handle: unknown): handle is Handle {
  if (typeof handle !== 'object' || handle === null) return false;
  const can = (name: string): boolean => typeof Reflect.get(handle, name) === 'function';
  return can('recvStop') && can('close') && Number(Reflect.get(handle, 'fd')) >= 0;
}
