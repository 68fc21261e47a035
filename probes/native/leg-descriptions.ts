import { randomInt } from 'node:crypto';
import type { VideoCodec } from '../../model/codec.js';
import { type Leg, receivedStreams } from '../../model/scenario.js';
import type { ServerOffer } from '../../model/signalling.js';
import { AwayStreams } from '../page/away-streams.js';
import { sectionsOf } from '../page/offer-sections.js';
import type { StreamOfMid } from '../page/stream-entries.js';
import { type RemoteDescription, readWhole } from './description.js';
import { type Own, type OwnStreams, type OwnTransport, writeAnswer, writeOffer } from './own-description.js';
import { offeredSections, takenOf } from './own-sections.js';
import type { AgreedSection } from './received-sections.js';

/** What one exchange of descriptions has agreed. */
export interface Agreed {
  /** Of the server. */
  readonly text: string;
  readonly described: RemoteDescription;
  /** Those in which the server sends. */
  readonly received: readonly AgreedSection[];
}

/** The descriptions of one leg, ours and the server's: which section has which stream, and whose source is gone. */
export class LegDescriptions {
  readonly streams: OwnStreams;
  readonly away = new AwayStreams();
  /** Where streams have names. */
  streamOfMid: StreamOfMid = new Map();
  readonly #leg: Leg;
  readonly #codec: VideoCodec;
  readonly #id = randomInt(2 ** 40);
  #written = 0;

  constructor(leg: Leg, codec: VideoCodec) {
    this.#leg = leg;
    this.#codec = codec;
    const ssrc = (): number => randomInt(1, 2 ** 32);
    const layers = leg.layers?.map(({ rid }) => ({ rid, ssrc: ssrc(), resent: ssrc() }));
    const [first = { ssrc: ssrc(), resent: ssrc() }] = layers ?? [];
    this.streams = {
      ssrcs: { audio: ssrc(), video: first.ssrc },
      resent: first.resent,
      cname: leg.id.replace(/[^\w-]/g, '-'),
      ...(layers ? { layers } : {}),
    };
  }

  offer(transport: OwnTransport): string {
    const sections = offeredSections(this.#leg);
    this.streamOfMid = new Map(
      sections.flatMap(({ mid, stream }) => (stream === undefined ? [] : [[mid, stream] as const])),
    );
    return writeOffer(sections, this.#own(transport));
  }

  /** By the server. Throws when its answer cannot be used. */
  answered(text: string): Agreed {
    const described = readWhole(text);
    return this.#agreed(text, described, () => true);
  }

  /** To the server's offer, the first one or one of more or fewer streams. Throws when it cannot be used. */
  answerTo(offer: ServerOffer, transport: OwnTransport): Agreed & { readonly answer: string } {
    const described = readWhole(offer.offer);
    const { sections } = described;
    const taken = takenOf(sections, this.#leg, this.#codec);
    const answer = writeAnswer(sections, taken, this.#own(transport));
    this.#take(offer);
    const mids = new Set(sections.flatMap(({ mid }, nth) => (taken[nth]?.receives ? [mid] : [])));
    return { answer, ...this.#agreed(offer.offer, described, (mid) => mids.has(mid)) };
  }

  /** As a page does. */
  #take(offer: ServerOffer): void {
    this.away.ended(offer.ended ?? []);
    const sent = sectionsOf(offer).filter(({ serverSends }) => serverSends);
    const expected = receivedStreams(this.#leg);
    this.streamOfMid = new Map(
      sent.flatMap(({ mid, kind, stream }) =>
        stream !== undefined && expected.some((one) => one.kind === kind && one.stream === stream)
          ? [[mid, stream] as const]
          : [],
      ),
    );
    this.away.cameBack(sent.flatMap(({ stream }) => stream ?? []));
  }

  #agreed(text: string, described: RemoteDescription, isTaken: (mid: string) => boolean): Agreed {
    const received = described.media
      .filter(({ theySend, mid }) => theySend && isTaken(mid))
      .map((section) => ({ ...section, stream: this.streamOfMid.get(section.mid) }));
    return { text, described, received };
  }

  #own(transport: OwnTransport): Own {
    const nth = this.#written;
    this.#written += 1;
    return { transport, streams: this.streams, codec: this.#codec, id: this.#id, nth };
  }
}
