import { z } from 'zod';
import { unlessAborted } from '../../host/bounded-wait.js';
import type { ScalabilityMode } from '../../model/codec.js';
import { LoadlineError, saidBy } from '../../model/errors.js';
import { type Ask, askAt, type LayerName, layerNames, spatialLayers } from '../../model/layer.js';
import { layerAsked, receivedStreams, senderOfSource, sourcesOf } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { ServerOffer, ServerOffers, StreamPlace } from '../../model/signalling.js';
import type { SessionLegRequest } from '../media-server.js';
import type { FeedBook } from './feed-book.js';
import type { JanusFrame } from './frame.js';
import { handOn } from './handle-events.js';
import type { Handle, JanusCalls } from './janus-calls.js';

interface SubscriberOptions {
  readonly calls: JanusCalls;
  readonly handle: Handle;
  readonly room: number;
  readonly request: SessionLegRequest;
  readonly feeds: FeedBook;
  /** The layers within each stream that it receives; absent: each layer is a stream of its own. */
  readonly svc: ScalabilityMode | undefined;
  readonly onEvent: (event: ServerEvent) => void;
  /** Aborts when the session is closed. */
  readonly closing: AbortSignal;
}

/** VideoRoom numbers layers, the lowest is 0. All temporal ones are asked for. */
interface NumberedLayer {
  readonly substream?: number;
  readonly spatial_layer?: number;
}

interface SubscribedStream extends NumberedLayer {
  readonly feed: number;
}

const wordOfLeavingMs = 1000;

/** A media section of Janus's offer, and whose it is; `feed_display` is the name its publisher joined under. */
const streamsSchema = z.array(
  z.object({ mid: z.string(), type: z.string().optional(), feed_display: z.string().optional() }),
);

/**
 * The connection by which a participant receives, of one publisher or of several. Janus makes the offer: of those who
 * publish when the participant comes, and again on the same connection of each who comes or goes later.
 */
export class Subscriber {
  /** Whose media it has, or is being offered. */
  readonly #subscribed = new Set<string>();
  /** Whose media the last offer had. */
  #offered: readonly string[] = [];
  /** The section of each picture, by whose it is. */
  #pictures: ReadonlyMap<string, string> = new Map();
  /** What is asked for of pictures, where that changes. */
  readonly #asks = new Map<string, Ask>();
  /** Offers are answered in the order in which they come, one at a time. */
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly options: SubscriberOptions) {}

  async begin(): Promise<ServerOffers> {
    const { calls, handle, room, request, feeds, onEvent } = this.options;
    const { leg, onCandidate, signal, sourcesThere } = request;
    const wanted = this.#wanted;
    calls.listen(handle, (frame) => {
      handOn(frame, leg.id, { onCandidate, onEvent });
      // Offered by Janus itself: somebody left.
      if (frame.jsep?.type === 'offer') this.#answerLater(frame);
    });
    await sourcesThere('any', () => feeds.anyOf(wanted, signal));
    const present = await feeds.anyOf(wanted, signal);
    const body = { request: 'join', ptype: 'subscriber', room, streams: this.#take(present) };
    const offered = await calls.message(handle, body, { signal });
    const offer = offerOf(offered);
    this.#offered = streamsOf(offer);
    this.#pictures = picturesIn(offered);
    return {
      by: 'server',
      ...offer,
      answer: async (sdp) => {
        await this.#start(sdp, signal);
        await this.#hide(present);
        void this.#followFeeds(wanted);
      },
      addCandidate: (candidate) => calls.trickle(handle, candidate, signal),
    };
  }

  get #wanted(): readonly string[] {
    return sourcesOf(this.options.request.leg).flatMap((one) => senderOfSource(one) ?? []);
  }

  #take(participants: readonly string[]): readonly SubscribedStream[] {
    for (const one of participants) this.#subscribed.add(one);
    return participants.flatMap((one) => {
      const feed = this.options.feeds.feedOf(one);
      return feed === undefined ? [] : [{ feed, ...this.#layerOf(one) }];
    });
  }

  #layerOf(participant: string): NumberedLayer {
    const ask = this.#askOf(participant);
    return ask === undefined || ask === 'none' ? {} : this.#numbered(ask);
  }

  #numbered(layer: LayerName): NumberedLayer {
    const { svc } = this.options;
    return svc ? { spatial_layer: spatialLayers(svc).indexOf(layer) } : { substream: layerNames.indexOf(layer) };
  }

  #askOf(participant: string): Ask | undefined {
    const streams = receivedStreams(this.options.request.leg);
    const [asked] = streams.flatMap((one) => (senderOfSource(one.from) === participant ? (layerAsked(one) ?? []) : []));
    return this.#asks.get(participant) ?? (asked && askAt(asked, 0));
  }

  /** Of those whose pictures are not shown, which a subscription cannot say. */
  async #hide(participants: readonly string[]): Promise<void> {
    for (const one of participants) if (this.#askOf(one) === 'none') await this.ask(one, 'none');
  }

  /** Of somebody whose picture is not offered yet it is remembered. */
  async ask(participant: string, ask: Ask): Promise<void> {
    this.#asks.set(participant, ask);
    const mid = this.#pictures.get(participant);
    if (mid === undefined) return;
    const { calls, handle, closing } = this.options;
    const asked = ask === 'none' ? { send: false } : { send: true, ...this.#numbered(ask) };
    await calls.message(handle, { request: 'configure', streams: [{ mid, ...asked }] }, { signal: closing });
  }

  async #start(sdp: string, signal?: AbortSignal): Promise<void> {
    const { calls, handle } = this.options;
    const jsep = { type: 'answer', sdp } as const;
    await calls.message(handle, { request: 'start' }, { jsep, signal });
  }

  /** Subscribes to each who is still missing as soon as it publishes. */
  async #followFeeds(wanted: readonly string[]): Promise<void> {
    const { calls, handle, feeds, closing } = this.options;
    try {
      for (;;) {
        const missing = wanted.filter((one) => !this.#subscribed.has(one));
        if (missing.length === 0) return;
        const fresh = await feeds.anyOf(missing, closing);
        await this.#inTurn(async () => {
          const body = { request: 'subscribe', streams: this.#take(fresh) };
          await this.#agree(await calls.message(handle, body, { signal: closing }));
          await this.#hide(fresh);
        });
      }
    } catch (error) {
      this.#tell(error);
    }
  }

  #answerLater(frame: JanusFrame): void {
    this.#inTurn(() => this.#agree(frame)).catch((error: unknown) => this.#tell(error));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** One further offer, and what the participant answers. */
  async #agree(frame: JanusFrame): Promise<void> {
    if (frame.jsep?.type !== 'offer') return;
    const { request, closing } = this.options;
    const offer = await this.#withEnded(offerOf(frame));
    this.#pictures = picturesIn(frame);
    await this.#start(await unlessAborted(closing, request.renegotiate(offer)), closing);
  }

  /** What Janus no longer offers is excused only if its publisher left, which may be told after the offer. */
  async #withEnded(offer: ServerOffer): Promise<ServerOffer> {
    const streams = streamsOf(offer);
    const gone = this.#offered.filter((one) => !streams.includes(one));
    this.#offered = streams;
    const ended = gone.length === 0 ? [] : await this.options.feeds.leftOf(gone, wordOfLeavingMs);
    return ended.length === 0 ? offer : { ...offer, ended };
  }

  /** What is missing because of it is missed by the probe, whose failure it is; here it is said why. */
  #tell(error: unknown): void {
    const { closing, onEvent, request } = this.options;
    if (closing.aborted) return;
    const detail = saidBy(error);
    onEvent({ kind: 'failed', of: 'leg', leg: request.leg.id, atMs: Date.now(), detail });
  }
}

function streamsOf({ places = [] }: ServerOffer): readonly string[] {
  return [...new Set(places.map(({ stream }) => stream))];
}

function picturesIn({ plugindata }: JanusFrame): ReadonlyMap<string, string> {
  const streams = streamsSchema.safeParse(plugindata?.data.streams).data ?? [];
  return new Map(
    streams.flatMap(({ mid, type, feed_display: whose }) => (type === 'video' && whose ? [[whose, mid] as const] : [])),
  );
}

/** What Janus offers, with each section's publisher. Throws E_SERVER_PROTOCOL where there is no offer. */
function offerOf({ jsep, plugindata }: JanusFrame): ServerOffer {
  if (jsep?.type !== 'offer') {
    throw new LoadlineError('E_SERVER_PROTOCOL', 'Janus made no offer to somebody who subscribes.', {
      why: `it answered ${JSON.stringify(plugindata?.data ?? {}).slice(0, 200)}`,
    });
  }
  const streams = streamsSchema.safeParse(plugindata?.data.streams).data ?? [];
  const places = streams.flatMap(({ mid, feed_display: stream }): StreamPlace[] =>
    stream === undefined ? [] : [{ mid, stream }],
  );
  return { offer: jsep.sdp, places };
}
