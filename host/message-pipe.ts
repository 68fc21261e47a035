import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** Where a process finds the pipe to the one that has started it: behind its standard streams. */
export const pipeDescriptor = 3;

const lengthBytes = 4;

interface Hearing {
  /** Longer messages are not read, bytes. */
  readonly most: number;
  readonly onMessage: (message: unknown) => void;
  /** Called once, for a message that is too long, or none. Nothing is heard after it. */
  readonly onUnreadable: () => void;
}

/**
 * Messages between two processes over a pipe, each behind its length. Node's own channel would end the process that
 * hears what it cannot read. Returns what sends one.
 */
export function openMessagePipe(pipe: Duplex, hearing: Hearing): (message: unknown) => void {
  // Who is gone hears nothing any more.
  pipe.on('error', () => pipe.destroy());
  const incoming = new Incoming(hearing);
  pipe.on('data', (piece: Buffer) => incoming.push(piece));
  return (message) => {
    if (pipe.destroyed) return;
    const bytes = serialize(message);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(bytes.length);
    pipe.cork();
    pipe.write(length);
    pipe.write(bytes);
    pipe.uncork();
  };
}

class Incoming {
  private rest: Buffer[] = [];
  private waiting = 0;
  private needed = lengthBytes;
  private isUnreadable = false;

  constructor(private readonly hearing: Hearing) {}

  push(piece: Buffer): void {
    if (this.isUnreadable) return;
    this.rest.push(piece);
    this.waiting += piece.length;
    while (this.waiting >= this.needed && !this.isUnreadable) {
      const [first] = this.rest;
      this.take(first && this.rest.length === 1 ? first : Buffer.concat(this.rest));
    }
  }

  private take(bytes: Buffer): void {
    this.needed = lengthBytes + bytes.readUInt32BE(0);
    const isWhole = bytes.length >= this.needed;
    const left = isWhole ? bytes.subarray(this.needed) : bytes;
    // With nothing left, the next piece is read where it lies.
    this.rest = left.length === 0 ? [] : [left];
    if (this.needed > lengthBytes + this.hearing.most) this.giveUp();
    else if (isWhole) {
      const message = bytes.subarray(lengthBytes, this.needed);
      this.waiting -= this.needed;
      this.needed = lengthBytes;
      this.hear(message);
    }
  }

  private hear(message: Buffer): void {
    let value: unknown;
    try {
      value = deserialize(message);
    } catch {
      this.giveUp();
      return;
    }
    this.hearing.onMessage(value);
  }

  private giveUp(): void {
    this.isUnreadable = true;
    this.rest = [];
    this.hearing.onUnreadable();
  }
}
