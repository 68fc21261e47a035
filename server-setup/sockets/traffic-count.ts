import type { SignallingTraffic } from '../../model/signalling-traffic.js';
import type { Writable } from '../../model/writable.js';

/** Signalling messages and their bytes, keep-alives included; carriers (frames, TLS, TCP) are not counted. */
export class TrafficCount {
  private readonly count: Writable<SignallingTraffic> = {
    sentMessages: 0,
    sentBytes: 0,
    receivedMessages: 0,
    receivedBytes: 0,
    roundTrips: 0,
  };

  /** A request, which is to be answered. */
  asked(message: string | Uint8Array): void {
    this.said(message);
    this.count.roundTrips += 1;
  }

  /** A message that nothing answers. */
  said(message: string | Uint8Array): void {
    this.count.sentMessages += 1;
    this.count.sentBytes += Buffer.byteLength(message);
  }

  received(message: string | Uint8Array): void {
    this.count.receivedMessages += 1;
    this.count.receivedBytes += Buffer.byteLength(message);
  }

  readonly now = (): SignallingTraffic => ({ ...this.count });
}
