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
  asked(text: string): void {
    this.count.sentMessages += 1;
    this.count.sentBytes += Buffer.byteLength(text);
    this.count.roundTrips += 1;
  }

  received(text: string): void {
    this.count.receivedMessages += 1;
    this.count.receivedBytes += Buffer.byteLength(text);
  }

  readonly now = (): SignallingTraffic => ({ ...this.count });
}
