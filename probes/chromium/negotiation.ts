import { LoadlineError } from '../../model/errors.js';
import type { Leg, Participant } from '../../model/scenario.js';
import type { IceCandidate, Negotiate } from '../../model/signalling.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import type { NegotiateReply } from '../page/wire.js';

type Refusal = { readonly code: ProbeFailureCode; readonly detail: string };

export interface NegotiationOptions {
  readonly participant: Participant;
  readonly leg: Leg;
  readonly negotiate: Negotiate;
  readonly signal: AbortSignal;
  /** The server's candidates, on their way to the page. */
  readonly toPage: (candidate: IceCandidate) => void;
  /** The server did not take a candidate: counted against the probe. */
  readonly onRefusal: (refusal: Refusal) => void;
}

/** The signalling of one leg, between its page and the server. The page's candidates wait here for the answer. */
export class Negotiation {
  private readonly options: NegotiationOptions;
  private waiting: IceCandidate[] = [];
  private send: ((candidate: IceCandidate) => Promise<void>) | undefined;

  constructor(options: NegotiationOptions) {
    this.options = options;
  }

  /** Never rejects: a refusal is an answer, too. */
  async offer(offer: string): Promise<NegotiateReply> {
    const { participant, leg, negotiate, signal, toPage } = this.options;
    try {
      signal.throwIfAborted();
      const agreed = await negotiate({ participant, leg, offer, onCandidate: toPage, signal });
      this.send = (candidate) => agreed.addCandidate(candidate);
      for (const candidate of this.waiting) void this.hand(this.send, candidate);
      this.waiting = [];
      return { ok: true, answer: agreed.answer };
    } catch (error) {
      return { ok: false, ...refusalOf(error) };
    }
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

/** The name of a failed negotiation, and the server's words for it. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof LoadlineError)) return { code: 'refused', detail: String(error) };
  const detail = error.why === undefined ? error.message : `${error.message} ${error.why}`;
  if (error.code === 'E_SERVER_TIMEOUT') return { code: 'signalling-timeout', detail };
  if (error.code === 'E_SERVER_LOST' || error.code === 'E_SERVER_UNREACHABLE') return { code: 'server-lost', detail };
  return { code: 'refused', detail };
}
