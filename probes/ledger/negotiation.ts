import { LoadlineError } from '../../model/errors.js';
import type { Leg, Participant } from '../../model/scenario.js';
import type { Begin, IceCandidate, LegRequest, Negotiate, ServerOffers } from '../../model/signalling.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import type { AnsweredReply, BeginReply, NegotiateReply } from '../page/wire.js';
import { type NegotiationRefusal, refusalOf } from '../refusal.js';

interface NegotiationOptions {
  readonly participant: Participant;
  readonly leg: Leg;
  readonly negotiate: Negotiate;
  /** Who makes the offer; absent: the probe. */
  readonly begin?: Begin;
  /** A further offer of the server, on its way to the page. */
  readonly renegotiate: LegRequest['renegotiate'];
  readonly signal: AbortSignal;
  /** The server's candidates, on their way to the page. */
  readonly toPage: (candidate: IceCandidate) => void;
  /** The server did not take a candidate: counted against the probe. */
  readonly onRefusal: (refusal: NegotiationRefusal) => void;
}

/** The signalling of one leg, between its page and the server. The page's candidates wait here for the answer. */
export class Negotiation {
  private readonly options: NegotiationOptions;
  private waiting: IceCandidate[] = [];
  private readonly words: ServerWords;
  private offered: ServerOffers | undefined;
  private send: ((candidate: IceCandidate) => Promise<void>) | undefined;

  constructor(options: NegotiationOptions) {
    this.options = options;
    this.words = new ServerWords(options);
  }

  /** Who makes the first offer, and the server's offer itself. Never rejects: a refusal is an answer, too. */
  async begin(): Promise<BeginReply> {
    const { participant, leg, begin, signal, renegotiate } = this.options;
    const { onCandidate, checked } = this.words;
    if (!begin) return { ok: true, first: { by: 'probe' } };
    try {
      signal.throwIfAborted();
      const first = await begin({
        participant,
        leg,
        onCandidate,
        renegotiate: async (offer) => renegotiate({ ...offer, offer: checked(offer.offer) }),
        signal,
      });
      if (first.by === 'probe') return { ok: true, first };
      this.offered = first;
      const { answer: _, addCandidate: __, ...order } = first;
      return { ok: true, first: { ...order, offer: checked(order.offer) } };
    } catch (error) {
      return { ok: false, ...refusalOf(error) };
    }
  }

  /** The page's answer to the server's offer. Never rejects. */
  async answered(answer: string): Promise<AnsweredReply> {
    const { offered } = this;
    try {
      this.options.signal.throwIfAborted();
      await offered?.answer(answer);
      this.open(async (candidate) => offered?.addCandidate(candidate));
      return { ok: true, taken: true };
    } catch (error) {
      return { ok: false, ...refusalOf(error) };
    }
  }

  /** Never rejects: a refusal is an answer, too. */
  async offer(offer: string): Promise<NegotiateReply> {
    const { participant, leg, negotiate, signal } = this.options;
    const { onCandidate, checked } = this.words;
    try {
      signal.throwIfAborted();
      const agreed = await negotiate({ participant, leg, offer, onCandidate, signal });
      const answer = checked(agreed.answer);
      this.open((candidate) => agreed.addCandidate(candidate));
      const { iceServers } = agreed;
      return { ok: true, answer, ...(iceServers ? { iceServers } : {}) };
    } catch (error) {
      return { ok: false, ...refusalOf(error) };
    }
  }

  private open(send: (candidate: IceCandidate) => Promise<void>): void {
    this.send = send;
    for (const candidate of this.waiting) void this.hand(send, candidate);
    this.waiting = [];
  }

  /** A candidate of the page. */
  candidate(candidate: IceCandidate): void {
    if (this.send) void this.hand(this.send, candidate);
    else this.waiting.push(candidate);
  }

  private async hand(send: (candidate: IceCandidate) => Promise<void>, candidate: IceCandidate): Promise<void> {
    try {
      await send(candidate);
    } catch (error) {
      if (this.options.signal.aborted) return;
      const { code, detail } = refusalOf(error);
      this.options.onRefusal({ code, detail: `a candidate was not taken: ${detail}` });
    }
  }
}

/** A room of a hundred has some 100 kB in one description; Chromium and its pages stall for seconds on longer ones. */
const descriptionCharactersMax = 1_000_000;
/** A host with ten addresses over UDP, TCP and a relay has some thirty. */
const candidatesMax = 250;
/** RFC 8839, 5.1: a line; a long one has some 200 characters. */
const candidateCharactersMax = 2000;

interface WordsOptions {
  /** The server's candidates, on their way to the page. */
  readonly toPage: (candidate: IceCandidate) => void;
  readonly onRefusal: (refusal: { readonly code: ProbeFailureCode; readonly detail: string }) => void;
}

/** What the server says to one probe on one leg: handed on while it is what a server that works would say. */
class ServerWords {
  private readonly options: WordsOptions;
  private candidates = 0;

  constructor(options: WordsOptions) {
    this.options = options;
  }

  /** The description itself. Throws E_SERVER_REFUSED when no browser should be given it. */
  readonly checked = (description: string): string => {
    if (description.length <= descriptionCharactersMax) return description;
    const what = `The media server sent a description of ${description.length} characters.`;
    throw new LoadlineError('E_SERVER_REFUSED', what, { why: `more than ${descriptionCharactersMax} are none` });
  };

  /** The first one too many fails the probe, as the server's fault; those after it are dropped. */
  readonly onCandidate = (candidate: IceCandidate): void => {
    this.candidates += 1;
    const isLong = candidate.candidate.length > candidateCharactersMax;
    if (this.candidates <= candidatesMax && !isLong) this.options.toPage(candidate);
    else if (this.candidates <= candidatesMax + 1) {
      const what = isLong ? `one of ${candidate.candidate.length} characters` : `more than ${candidatesMax}`;
      this.options.onRefusal({ code: 'refused', detail: `the media server sent ${what} as candidates of one leg` });
      this.candidates = candidatesMax + 1;
    }
  };
}
