import { type DataChannel, messageBytes } from '../../model/data-messages.js';
import type { Marking } from './frame-mark.js';

/** One message on a data channel: who sends it, by whose clock, and when. */
interface DataMessage extends Marking {
  /** The first is 0; each is one more than the one before. */
  readonly nth: number;
  /** Epoch milliseconds. */
  readonly sentMs: number;
}

const magic = new TextEncoder().encode('Loadline');
const senderAt = magic.length;
const clockAt = senderAt + 4;
const nthAt = clockAt + 4;
const sentAt = nthAt + 4;
const saidBytes = sentAt + 8;

/** As large as a message of an app, behind what the server wants before it. */
export function writeMessage({ sender, clock, nth, sentMs }: DataMessage, head: DataChannel['head']): ArrayBuffer {
  const bytes = new Uint8Array(head.length + messageBytes);
  bytes.set(head);
  bytes.set(magic, head.length);
  const view = new DataView(bytes.buffer, head.length);
  view.setUint32(senderAt, sender);
  view.setUint32(clockAt, clock);
  view.setUint32(nthAt, nth);
  view.setFloat64(sentAt, sentMs);
  return bytes.buffer;
}

/** Wherever a server has put it; `undefined` where there is none. */
export function readMessage(buffer: ArrayBuffer): DataMessage | undefined {
  const bytes = new Uint8Array(buffer);
  const at = bytes.findIndex((_, from) => magic.every((byte, index) => bytes[from + index] === byte));
  if (at < 0 || at + saidBytes > bytes.length) return undefined;
  const view = new DataView(buffer, at);
  const sentMs = view.getFloat64(sentAt);
  if (!Number.isFinite(sentMs)) return undefined;
  return { sender: view.getUint32(senderAt), clock: view.getUint32(clockAt), nth: view.getUint32(nthAt), sentMs };
}
