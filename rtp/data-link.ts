import { type RTCDataChannel, RTCSctpTransport } from 'werift';
import type { KeyedDtlsTransport } from './keyed-dtls.js';

type OnMessage = (label: string, data: Buffer | string) => void;

/** As RFC 8841 has it where nothing is said. */
export const sctpPort = 5000;
export const largestMessage = 65_536;
/** A receiver that takes nothing gets no more once this number of packets waits for it. */
const mostWaiting = 4000;

/** What of werift's association is needed here. */
interface Association {
  readonly outboundQueue: readonly unknown[];
  handleData(data: Buffer): Promise<void>;
}
type Receive = (stream: number, protocol: number, data: Buffer) => Promise<void>;

/**
 * Messages on the data channels that the other side of a connection opens (RFC 8831), over werift's SCTP. What is sent
 * goes out on the channel of that label. Packets are read one after the other, and what cannot be read has not come.
 */
export class DataLink {
  readonly #transport = new RTCSctpTransport(sctpPort, largestMessage);
  readonly #channels = new Map<string, RTCDataChannel>();
  readonly #association: Association;
  readonly #onMessage: OnMessage;
  #reading: Promise<void> = Promise.resolve();

  constructor(dtls: KeyedDtlsTransport, onMessage: OnMessage) {
    this.#onMessage = onMessage;
    const transport = this.#transport;
    const parts = transport as unknown as { datachannelReceive: Receive };
    const receive = parts.datachannelReceive;
    // werift waits for nothing that it throws, and an end of the process would come of it.
    parts.datachannelReceive = (...message) => receive(...message).catch(() => undefined);
    transport.setDtlsTransport(dtls);
    transport.onDataChannel.subscribe((channel) => this.#take(channel));
    const association = transport.sctp as unknown as Association;
    this.#association = association;
    dtls.onData = (data) => {
      this.#reading = this.#reading.then(() => association.handleData(data)).catch(() => undefined);
    };
    // As the side that is controlled it answers, and sends nothing by itself.
    void transport.start(sctpPort).catch(() => undefined);
  }

  /** Who takes nothing, or has no such channel, misses it. */
  send(label: string, data: Buffer | string): void {
    const channel = this.#channels.get(label);
    if (channel?.readyState !== 'open' || this.#association.outboundQueue.length > mostWaiting) return;
    channel.send(data);
  }

  async close(): Promise<void> {
    await this.#transport.stop().catch(() => undefined);
  }

  #take(channel: RTCDataChannel): void {
    this.#channels.set(channel.label, channel);
    channel.onMessage.subscribe((data) => this.#onMessage(channel.label, data));
  }
}
