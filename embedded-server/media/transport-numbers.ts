import { ArrivalTimes } from '../../rtp/arrival-times.js';
import { Departures } from '../../rtp/departures.js';
import { readTransportNumber } from '../../rtp/rtp.js';
import type { TransportFeedback } from '../../rtp/transport-feedback.js';

/**
 * Transport-wide congestion control of one endpoint (draft-holmer-rmcat-transport-wide-cc-extensions-01), where it was
 * negotiated: its browser is told when each packet of its video arrived, and decides by that what it sends; what goes
 * to it is numbered, and what it says of that is estimated here.
 */
export class TransportNumbers {
  readonly #arrivalTimes = new ArrivalTimes();
  readonly #departures = new Departures();
  readonly #senderSsrc: number;
  readonly #sendFeedback: (message: Buffer) => void;
  #id: number | undefined;

  constructor(senderSsrc: number, sendFeedback: (message: Buffer) => void) {
    this.#senderSsrc = senderSsrc;
    this.#sendFeedback = sendFeedback;
  }

  negotiate(id: number | undefined): void {
    this.#id ??= id;
  }

  get negotiated(): boolean {
    return this.#id !== undefined;
  }

  /** Called with every packet first: resent ones and bandwidth probes have numbers, too. */
  noteArrival(packet: Buffer, nowMs: number): void {
    const number = this.#id === undefined ? undefined : readTransportNumber(packet, this.#id);
    if (number === undefined || !this.#arrivalTimes.note(number, nowMs)) return;
    for (const message of this.#arrivalTimes.take(this.#senderSsrc, packet.readUInt32BE(8), nowMs)) {
      this.#sendFeedback(message);
    }
  }

  /** The number of a packet of so many bytes that leaves now. */
  next(bytes: number, nowMs: number): number {
    return this.#departures.next(bytes, nowMs);
  }

  onFeedback(feedback: TransportFeedback): void {
    this.#departures.onFeedback(feedback);
  }

  /** To be called each second: what the way to the browser is estimated to carry, bit/s, or zero. */
  afterSecond(): number {
    return this.#departures.after(1);
  }
}
