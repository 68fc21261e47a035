import { unlessAborted } from '../../host/bounded-wait.js';
import type { MediaKind } from '../../model/scenario.js';
import type { Negotiated, NegotiationRequest } from '../../model/signalling.js';
import { type Following, follow } from './following.js';
import type { Picture } from './livekit-options.js';
import { StreamPlaces } from './stream-places.js';

/**
 * One connection for both ways. On it the server only answers: when a track comes or goes, it asks for an offer. It
 * gets the probe's first one again, with as many sections more as it wants. The probe is given the answer as an offer
 * of the server, as it gets those of servers that make some.
 */
export class BothWays {
  readonly places: StreamPlaces;
  #offer = '';

  constructor(private readonly options: Following) {
    this.places = new StreamPlaces(options.member, options.request.leg);
  }

  async join(request: NegotiationRequest, picture: Picture): Promise<Negotiated> {
    this.#offer = request.offer;
    const { answer, ...rest } = await this.options.member.publish(request, picture);
    void this.#follow(answer);
    // Whose stream is where goes with the offer that is made of it.
    return { answer: withoutSending(answer), ...rest };
  }

  async #follow(first: string): Promise<void> {
    let answer: string | undefined = withoutSending(first) === first ? undefined : first;
    await follow(this.options, async () => {
      if (answer !== undefined) await this.#give(answer);
      answer = await this.#next();
    });
  }

  /** What is asked for meanwhile is answered with one offer. */
  async #next(): Promise<string> {
    const { member, closing } = this.options;
    for (const { numAudios, numVideos } of await member.wanted.next(closing)) {
      this.#offer = withSections(this.#offer, { audio: numAudios, video: numVideos });
    }
    return member.answered(this.#offer, closing);
  }

  async #give(answer: string): Promise<void> {
    const { request, closing } = this.options;
    const offer = await this.places.read(offerOfAnswer(answer));
    await unlessAborted(closing, request.renegotiate(offer));
  }
}

/** What a section of ours has that one which only receives has not. */
const ofSender = /^a=(?:msid|ssrc|ssrc-group|rid|simulcast|candidate|end-of-candidates)\b.*\r?\n/gm;

/** An offer with more sections that receive: each as its first one of that kind. */
export function withSections(offer: string, more: Readonly<Record<MediaKind, number>>): string {
  const [session = '', ...sections] = offer.split(/^(?=m=)/m);
  const mids = sections.map((one) => Number(/^a=mid:(\d+)/m.exec(one)?.[1] ?? -1));
  const added = (['audio', 'video'] as const).flatMap((kind) => {
    const like = sections.find((one) => one.startsWith(`m=${kind} `));
    return like === undefined ? [] : Array.from({ length: more[kind] }, () => like);
  });
  if (added.length === 0) return offer;
  const free = Math.max(...mids) + 1;
  const receiving = added.map((like, nth) =>
    like
      .replace(ofSender, '')
      .replace(/^a=mid:.*$/m, `a=mid:${free + nth}`)
      .replace(/^a=(?:sendrecv|sendonly|inactive)\b/m, 'a=recvonly'),
  );
  const names = added.map((_, nth) => ` ${free + nth}`).join('');
  const bundled = session
    .replace(/^(a=group:BUNDLE[^\r\n]*)/m, `$1${names}`)
    .replace(/^(o=\S+ \S+ )(\d+)/m, (_, before: string, version: string) => `${before}${BigInt(version) + 1n}`);
  return [bundled, ...sections, ...receiving].join('');
}

/** An answer in which the server sends nothing yet. */
export const withoutSending = (answer: string): string =>
  answer.replace(/^a=sendrecv\b/gm, 'a=recvonly').replace(/^a=sendonly\b/gm, 'a=inactive');

/** The same agreement as the server's offer (RFC 8842, 5.5: roles are kept). */
export const offerOfAnswer = (answer: string): string =>
  answer.replace(/^a=setup:(?:active|passive)\b/gm, 'a=setup:actpass');
