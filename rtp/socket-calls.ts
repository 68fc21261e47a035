import { arch } from 'node:os';
import type { ForeignCall, ForeignCalls, ForeignMemory } from '../host/foreign-calls.js';

/**
 * Calls of the C library by which a process reads and writes datagrams itself. Node wakes JavaScript for each datagram
 * and makes an object of each that is sent; `recvmmsg` and `sendto`, called when it suits, take a fraction of that.
 */
export interface SocketCalls {
  /** Watches a socket (epoll(7)) with arrival times from the kernel (`SO_TIMESTAMPNS`). Returns whether it can. */
  watch(fd: number): boolean;
  /** Returns how many watched sockets are readable. Called before `receive`, as it reads the clock, too. */
  look(): number;
  readyAt(nth: number): number;
  /** Takes up to `datagramsMost` waiting datagrams; returns how many. Their details hold until the next call. */
  receive(fd: number): number;
  datagram(nth: number): Buffer;
  /** IPv4, as one number that tells addresses apart; `addressOf` has the figures. */
  sender(nth: number): number;
  senderPort(nth: number): number;
  /** How long it had waited when `look` was called, milliseconds. Below zero: it came since. */
  waitedMs(nth: number): number;
  /** Returns whether the kernel took it. */
  send(fd: number, datagram: Buffer, to: SocketAddress): boolean;
  /** The same, of so many bytes of memory that stays where it is. */
  sendFrom(fd: number, address: number, bytes: number, to: SocketAddress): boolean;
  memory(bytes: number): ForeignMemory;
}

/** What one call takes of one socket. */
export const datagramsMost = 16;

/** `struct sockaddr_in` (ip(7)), as its words that say something. */
export interface SocketAddress {
  readonly familyAndPort: number;
  readonly host: number;
}

/** An address of a datagram for `send`. @param address IPv4, in figures */
export function socketAddress(address: string, port: number): SocketAddress {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(AF_INET, 0);
  bytes.writeUInt16BE(port, 2);
  bytes.set(address.split('.').map(Number), 4);
  return { familyAndPort: bytes.readUInt32LE(0), host: bytes.readUInt32LE(4) };
}

/** The figures of what `sender` gives. */
export function addressOf(sender: number): string {
  return [sender, sender >>> 8, sender >>> 16, sender >>> 24].map((byte) => byte & 0xff).join('.');
}

// Of Linux on machines of 64 bits, whose bytes are in the order of x86 and ARM (asm-generic/socket.h, sys/epoll.h,
// recvmmsg(2)).
const AF_INET = 2;
const SOL_SOCKET = 1;
const SO_TIMESTAMPNS = 35;
const MSG_DONTWAIT = 0x40;
const EPOLL_CTL_ADD = 1;
const EPOLLIN = 1;
const EPOLL_CLOEXEC = 0o2000000;
const CLOCK_REALTIME = 0;
const addressBytes = 16;
const vectorBytes = 16;
const controlBytes = 64;
const messageBytes = 64;
const messageWords = messageBytes / 4;
const timeBytes = 16;
/** No datagram of media, STUN or DTLS is as long; what is longer is cut off and not read. */
const slotBytes = 2048;
const eventsMost = 1024;
/** The kernel packs this one on x86 alone. */
const eventBytes = arch() === 'x64' ? 12 : 16;
const eventDataAt = arch() === 'x64' ? 4 : 8;

/** Throws where the kernel refuses. */
export function socketCalls(calls: ForeignCalls): SocketCalls {
  return new LinuxSocketCalls(calls);
}

class LinuxSocketCalls implements SocketCalls {
  readonly #calls: Readonly<
    Record<'setsockopt' | 'control' | 'wait' | 'receive' | 'send' | 'sendFrom' | 'time', ForeignCall>
  >;
  readonly #epoll: number;
  readonly #events: ForeignMemory;
  readonly #slots: ForeignMemory;
  readonly #names: ForeignMemory;
  readonly #controls: ForeignMemory;
  readonly #messages: ForeignMemory;
  readonly #time: ForeignMemory;
  readonly #to: ForeignMemory;
  /** How many messages have been written over since they were laid out: all, at first. */
  #received = datagramsMost;

  readonly memory: (bytes: number) => ForeignMemory;

  constructor({ bind, memory }: ForeignCalls) {
    this.memory = memory;
    this.#calls = {
      setsockopt: bind('int setsockopt(int, int, int, uint64_t, uint32_t)'),
      control: bind('int epoll_ctl(int, int, int, uint64_t)'),
      wait: bind('int epoll_wait(int, uint64_t, int, int)'),
      receive: bind('int recvmmsg(int, uint64_t, uint32_t, int, uint64_t)'),
      send: bind('int64_t sendto(int, void *, uint64_t, int, uint64_t, uint32_t)'),
      sendFrom: bind('int64_t sendto(int, uint64_t, uint64_t, int, uint64_t, uint32_t)'),
      time: bind('int clock_gettime(int, uint64_t)'),
    };
    this.#events = memory(eventsMost * eventBytes);
    this.#slots = memory(datagramsMost * slotBytes);
    this.#names = memory(datagramsMost * addressBytes);
    this.#controls = memory(datagramsMost * controlBytes);
    this.#messages = memory(datagramsMost * messageBytes);
    this.#time = memory(timeBytes);
    this.#to = memory(addressBytes);
    this.#layOut(memory(datagramsMost * vectorBytes));
    this.#epoll = bind('int epoll_create1(int)')(EPOLL_CLOEXEC);
    if (this.#epoll < 0) throw new Error('the kernel makes no epoll');
  }

  /** `struct mmsghdr` and what it points at, once for all calls. */
  #layOut(vectors: ForeignMemory): void {
    const { bytes } = this.#messages;
    const address = ({ address: start }: ForeignMemory, at: number): bigint => BigInt(start + at);
    for (let nth = 0; nth < datagramsMost; nth += 1) {
      const [vectorAt, at] = [nth * vectorBytes, nth * messageBytes];
      vectors.bytes.writeBigUInt64LE(address(this.#slots, nth * slotBytes), vectorAt);
      vectors.bytes.writeBigUInt64LE(BigInt(slotBytes), vectorAt + 8);
      bytes.writeBigUInt64LE(address(this.#names, nth * addressBytes), at);
      bytes.writeBigUInt64LE(address(vectors, vectorAt), at + 16);
      bytes.writeBigUInt64LE(1n, at + 24);
      bytes.writeBigUInt64LE(address(this.#controls, nth * controlBytes), at + 32);
    }
  }

  watch(fd: number): boolean {
    // What `look` writes anew.
    const { address, bytes } = this.#events;
    bytes.writeInt32LE(1);
    if (this.#calls.setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, address, 4) !== 0) return false;
    bytes.writeUInt32LE(EPOLLIN, 0);
    bytes.writeInt32LE(fd, eventDataAt);
    return this.#calls.control(this.#epoll, EPOLL_CTL_ADD, fd, address) === 0;
  }

  look(): number {
    this.#calls.time(CLOCK_REALTIME, this.#time.address);
    return Math.max(0, this.#calls.wait(this.#epoll, this.#events.address, eventsMost, 0));
  }

  readyAt(nth: number): number {
    return this.#events.words[(nth * eventBytes + eventDataAt) / 4] ?? -1;
  }

  receive(fd: number): number {
    const { words, address } = this.#messages;
    for (let nth = 0; nth < this.#received; nth += 1) {
      // What the call wrote there the last time.
      words[nth * messageWords + 2] = addressBytes;
      words[nth * messageWords + 10] = controlBytes;
    }
    this.#received = Math.max(0, this.#calls.receive(fd, address, datagramsMost, MSG_DONTWAIT, 0));
    return this.#received;
  }

  datagram(nth: number): Buffer {
    const at = nth * slotBytes;
    return this.#slots.bytes.subarray(at, at + (this.#messages.words[nth * messageWords + 14] ?? 0));
  }

  sender(nth: number): number {
    return this.#names.words[nth * (addressBytes / 4) + 1] ?? 0;
  }

  senderPort(nth: number): number {
    const { bytes } = this.#names;
    return ((bytes[nth * addressBytes + 2] ?? 0) << 8) | (bytes[nth * addressBytes + 3] ?? 0);
  }

  waitedMs(nth: number): number {
    const [controls, at, time] = [this.#controls.words, (nth * controlBytes) / 4, this.#time.words];
    const isTold = (this.#messages.words[nth * messageWords + 10] ?? 0) > 0 && controls[at + 3] === SO_TIMESTAMPNS;
    if (!isTold) return 0;
    // Seconds are 64 bits, of which the lower half is enough for a difference.
    const seconds = ((time[0] ?? 0) - (controls[at + 4] ?? 0)) | 0;
    return seconds * 1000 + ((time[2] ?? 0) - (controls[at + 6] ?? 0)) / 1e6;
  }

  send(fd: number, datagram: Buffer, to: SocketAddress): boolean {
    const { send } = this.#calls;
    return send(fd, datagram, datagram.length, MSG_DONTWAIT, this.#written(to), addressBytes) === datagram.length;
  }

  sendFrom(fd: number, address: number, bytes: number, to: SocketAddress): boolean {
    return this.#calls.sendFrom(fd, address, bytes, MSG_DONTWAIT, this.#written(to), addressBytes) === bytes;
  }

  /** Where it stands for the next call: an address of its own for each would have to be given back. */
  #written({ familyAndPort, host }: SocketAddress): number {
    const { address, words } = this.#to;
    words[0] = familyAndPort;
    words[1] = host;
    return address;
  }
}
