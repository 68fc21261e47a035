import type { SignallingTraffic } from '../../model/arrivals.js';

/** Signalling messages and their bytes, keep-alives included; carriers (frames, TLS, TCP) are not counted. */
export class TrafficCount {
  private sentMessages = 0;
  private sentBytes = 0;
  private receivedMessages = 0;
  private receivedBytes = 0;
  private roundTrips = 0;

  /** A request, which is to be answered. */
  asked(text: string): void {
    this.sentMessages += 1;
    this.sentBytes += Buffer.byteLength(text);
    this.roundTrips += 1;
  }

  received(text: string): void {
    this.receivedMessages += 1;
    this.receivedBytes += Buffer.byteLength(text);
  }

  now(): SignallingTraffic {
    const { sentMessages, sentBytes, receivedMessages, receivedBytes, roundTrips } = this;
    return { sentMessages, sentBytes, receivedMessages, receivedBytes, roundTrips };
  }
}
