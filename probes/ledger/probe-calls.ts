import type { Sample } from '../../model/sample.js';
import { sampleOfLine } from '../../model/sample-line.js';
import type { Participant } from '../../model/scenario.js';
import { shortWords } from '../../model/secrets.js';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import type { HostCall, HostReply, Look } from '../page/wire.js';
import type { PlayerOrder } from '../player.js';
import { Negotiation } from './negotiation.js';
import type { OwnHost } from './own-host.js';

const detailCharacters = 1000;

interface CallsOrder extends Pick<PlayerOrder, 'participants' | 'joining' | 'ledger' | 'hears'> {
  readonly host: Pick<OwnHost, 'event' | 'samples' | 'artifacts'>;
}

interface Pages {
  readonly toPage: (probe: string, leg: string, candidate: IceCandidate) => void;
  /** Rejects when the page is gone, and gives `null` when it could not apply the offer. */
  readonly offerToPage: (probe: string, leg: string, offer: ServerOffer) => Promise<string | null>;
  /** VMAF of a look; absent: nobody here knows. */
  readonly vmafOf?: (look: Look) => Promise<number | undefined>;
}

/** Answers what the pages call: signalling goes on to the server, news of probes into the ledger. */
export class ProbeCalls {
  private readonly participants: ReadonlyMap<string, Participant>;
  private readonly negotiations = new Map<string, Negotiation>();
  private readonly ended = new Map<string, AbortController>();
  private readonly left = new Set<string>();

  constructor(
    private readonly order: CallsOrder,
    private readonly pages: Pages,
  ) {
    this.participants = new Map(order.participants.map((participant) => [participant.id, participant]));
  }

  /** Only signalling and looks have an answer. Rejects only with what the reader of a line of samples throws. */
  async answer(call: HostCall, sampleOf: (line: string) => Sample = sampleOfLine): Promise<HostReply | null> {
    const hearReply = this.order.hears(call);
    const reply = await this.answerTo(call, sampleOf);
    hearReply(reply);
    return reply;
  }

  private async answerTo(call: HostCall, sampleOf: (line: string) => Sample): Promise<HostReply | null> {
    const { ledger, host } = this.order;
    switch (call.call) {
      case 'begin':
        return this.begin(call.probe, call.leg);
      case 'answered':
        return this.negotiation(call.probe, call.leg)?.answered(call.answer) ?? null;
      case 'negotiate':
        return this.negotiation(call.probe, call.leg)?.offer(call.offer) ?? null;
      case 'look': {
        const vmaf = this.left.has(call.probe) ? undefined : await this.pages.vmafOf?.(call.look);
        return vmaf === undefined ? null : { ok: true, vmaf };
      }
      case 'candidate':
        this.negotiation(call.probe, call.leg)?.candidate(call.candidate);
        return null;
      case 'reached':
        ledger.reached(call.probe, call.join);
        return null;
      case 'up':
        ledger.reached(call.probe, call.join);
        ledger.up(call.probe, call.atMs, call.rates);
        return null;
      case 'routed':
        ledger.routed(call.probe, call.routes);
        return null;
      case 'failed':
        this.fail(call.probe, call.failure.code, call.failure.detail, call.failure);
        return null;
      case 'kept':
        host.artifacts(call.artifacts);
        return null;
      case 'samples':
        host.samples(call.samples.split('\n').map((line) => sampleOf(line)));
        return null;
    }
  }

  /** Records a failure and calls off what is under way for the probe at the server. */
  fail(
    probe: string,
    code: ProbeFailureCode,
    detail: string,
    more: { readonly atMs?: number; readonly missing?: readonly string[] } = {},
  ): void {
    const { atMs = Date.now(), missing } = more;
    // Chromium quotes what it cannot read of a description, which is the server's.
    const said = shortWords(detail, detailCharacters);
    this.order.ledger.failed({ probe, code, detail: said, atMs, ...(missing ? { missing } : {}) });
    if (!this.left.has(probe)) this.controllerOf(probe).abort();
  }

  /** It has left: what is still under way for it is called off, and nothing of it is kept. */
  forget(probe: string): void {
    this.controllerOf(probe).abort();
    this.ended.delete(probe);
    this.left.add(probe);
    for (const { id } of this.participants.get(probe)?.legs ?? []) this.negotiations.delete(id);
  }

  /** All leave: what a server says of those who go before others concerns nobody. */
  leave(): void {
    for (const probe of this.participants.keys()) this.left.add(probe);
  }

  private async begin(probe: string, leg: string): Promise<HostReply | null> {
    const reply = await this.negotiation(probe, leg)?.begin();
    if (reply?.ok && reply.first.by === 'server') this.tellEnded(probe, leg, reply.first);
    return reply ?? null;
  }

  private negotiation(probe: string, legId: string): Negotiation | undefined {
    const found = this.negotiations.get(legId);
    if (found) return found;
    const participant = this.participants.get(probe);
    const leg = participant?.legs.find((one) => one.id === legId);
    // What its page still says when it has left concerns nobody.
    if (!participant || !leg || this.left.has(probe)) return undefined;
    const negotiation = new Negotiation({
      participant,
      leg,
      ...this.order.joining,
      signal: AbortSignal.any([this.order.joining.signal, this.controllerOf(probe).signal]),
      renegotiate: async (offer) => {
        const answer = await this.pages.offerToPage(probe, legId, offer);
        if (answer === null) throw new Error(`the further offer for leg ${legId} could not be applied`);
        this.tellEnded(probe, legId, offer);
        return answer;
      },
      toPage: (candidate) => this.pages.toPage(probe, legId, candidate),
      onRefusal: ({ code, detail }) => this.fail(probe, code, detail),
    });
    this.negotiations.set(legId, negotiation);
    return negotiation;
  }

  /** What is not judged any more is told, so that nobody wonders where it went. */
  private tellEnded(probe: string, leg: string, { ended = [] }: Pick<ServerOffer, 'ended'>): void {
    if (ended.length === 0 || this.left.has(probe)) return;
    const text = `The server said that ${ended.join(', ')} had left ${probe} (leg ${leg}): not judged until it is back.`;
    this.order.host.event({ type: 'warning', atMs: Date.now(), text });
  }

  private controllerOf(probe: string): AbortController {
    const controller = this.ended.get(probe) ?? new AbortController();
    this.ended.set(probe, controller);
    return controller;
  }
}
