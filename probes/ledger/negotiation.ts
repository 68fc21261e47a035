import type { Leg, Participant } from '../../model/scenario.js';
import type { Begin, IceCandidate, LegRequest, Negotiate, ServerOffers } from '../../model/signalling.js';
import type { AnsweredReply, BeginReply, NegotiateReply } from '../page/wire.js';
import { type NegotiationRefusal, refusalOf } from '../refusal.js';
import { ServerWords } from './server-words.js';

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
