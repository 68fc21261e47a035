import { leastMs, withTimes } from '../../model/clock-times.js';
import type { DataChannel } from '../../model/data-messages.js';
import type { StreamSample } from '../../model/sample.js';
import { type Leg, type MediaSource, type ReceivedStream, receivedData, receivedName } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import { nowMs } from './clock.js';
import { readMessage, writeMessage } from './data-message.js';
import type { Marking } from './frame-mark.js';
import { IncomingMessages } from './incoming-messages.js';
import { TimesByClock } from './times-by-clock.js';

interface Expected {
  readonly stream: Omit<ReceivedStream<'data'>, 'from'>;
  readonly from: MediaSource;
  readonly sender: number;
  readonly incoming: IncomingMessages;
  readonly delays: TimesByClock;
}

/** The messages of one leg: those that it sends at their pace, and those that come on any of its channels. */
export class LegData {
  readonly #own: Marking;
  readonly #expected: readonly Expected[];
  #begunMs: number | undefined;
  #sent = 0;
  #told = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly connection: RTCPeerConnection,
    private readonly leg: Leg,
    private readonly way: DataChannel,
    { sender, clock }: { readonly sender: string; readonly clock: number },
  ) {
    this.#own = { sender: senderOf(sender), clock };
    this.#expected = receivedData(leg).flatMap(({ from, ...stream }) =>
      from && 'participant' in from && from.data !== undefined
        ? [
            {
              ...{ stream, from, sender: senderOf(from.participant), incoming: new IncomingMessages(from.data) },
              delays: new TimesByClock(clock, leastMs.delay),
            },
          ]
        : [],
    );
    connection.addEventListener('datachannel', ({ channel }) => this.#hear(channel));
  }

  /**
   * To be called before the first description of our own: reliable and in order, as channels are by default. Who only
   * receives opens one, too, without which a Janus opens none.
   */
  open(): void {
    if (this.leg.data === undefined && this.#expected.length === 0) return;
    const channel = this.connection.createDataChannel(this.way.label);
    this.#hear(channel);
    if (this.leg.data !== undefined) channel.addEventListener('open', () => this.#sendDue(channel));
  }

  /** Whose messages have not come yet; a stream whose source is gone is left out. */
  missing(away: ReadonlySet<string>): readonly string[] {
    return this.#expected
      .filter(({ stream: { stream = '' }, incoming }) => !incoming.begun && !away.has(stream))
      .map(({ stream, from }) => receivedName({ ...stream, from }));
  }

  /** Since they were last asked for; `away` are the streams whose source was gone meanwhile. */
  samples(away: ReadonlySet<string> = new Set()): readonly StreamSample[] {
    const { id: leg, data } = this.leg;
    const atMs = nowMs();
    const metrics = this.#begunMs === undefined ? {} : { messagesSent: this.#sent - this.#told };
    this.#told = this.#sent;
    const received = this.#expected.map(({ stream, incoming, delays }): StreamSample => {
      const told = { leg, direction: 'receive', ...stream, metrics: incoming.read(atMs) } as const;
      const read = withTimes(told, 'delay', delays.take());
      const isAway = stream.stream !== undefined && away.has(stream.stream);
      return isAway ? { ...told, metrics: {}, away: true } : read;
    });
    return data === undefined ? received : [{ leg, direction: 'send', kind: 'data', metrics }, ...received];
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #hear(channel: RTCDataChannel): void {
    channel.binaryType = 'arraybuffer';
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = data instanceof ArrayBuffer ? readMessage(data) : undefined;
      const from = this.#expected.find(({ sender }) => sender === message?.sender);
      if (!message || !from) return;
      const atMs = nowMs();
      if (from.incoming.take(message.nth, atMs)) from.delays.add(message.clock, atMs - message.sentMs);
    });
  }

  /** All that are due by now, and the next when it is. A channel that takes no more is tried again then. */
  #sendDue(channel: RTCDataChannel): void {
    if (channel.readyState !== 'open' || this.leg.data === undefined) return;
    const atMs = nowMs();
    this.#begunMs ??= atMs;
    const gapMs = 1000 / this.leg.data;
    try {
      for (; this.#begunMs + this.#sent * gapMs <= atMs; this.#sent += 1)
        channel.send(writeMessage({ ...this.#own, nth: this.#sent, sentMs: nowMs() }, this.way.head));
    } catch {
      // Its buffer is full: what is due waits.
    }
    const nextMs = this.#begunMs + this.#sent * gapMs;
    this.#timer = setTimeout(() => this.#sendDue(channel), Math.max(gapMs / 4, nextMs - nowMs()));
  }
}
