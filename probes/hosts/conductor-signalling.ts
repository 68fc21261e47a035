import { given } from '../../model/given.js';
import type { Participant } from '../../model/scenario.js';
import type { Begin, IceCandidate, Negotiate, ServerOffer } from '../../model/signalling.js';
import { errorOf, refusalFrom } from './refusals.js';
import type { Order, OrderReply, Signal, SignalReply } from './wire.js';

interface ConductorSignallingOptions {
  readonly trial: string;
  readonly participants: readonly Participant[];
  readonly negotiate: Negotiate;
  readonly begin?: Begin;
  /** Gives an order to the host. */
  readonly order: (order: Order) => Promise<OrderReply>;
  /** The host is lost, or the trial is over. */
  readonly signal: AbortSignal;
}

interface OpenLeg {
  readonly calledOff: AbortController;
  addCandidate?: (candidate: IceCandidate) => Promise<void>;
  answer?: (answer: string) => Promise<void>;
  spoke?: (opened: string) => Promise<void>;
  /** What the media server took of it until its answer. */
  servedMs: number;
  /** So many questions of it are not answered yet. */
  asked: number;
}

/** A leg has some ten candidates, and waits for one answer. */
const mostAsked = 300;

const ofAnswer: ReadonlySet<Signal['ask']> = new Set(['begin', 'answer', 'negotiate']);

/** The conductor's end of signalling: takes the probes' questions of one host to the media server. */
export class ConductorSignalling {
  private readonly options: ConductorSignallingOptions;
  /** For so many legs the host has spoken to the media server itself. */
  spokenLegs = 0;
  private readonly participants: ReadonlyMap<string, Participant>;
  private readonly legs = new Map<string, OpenLeg>();
  private readonly left = new Set<string>();

  constructor(options: ConductorSignallingOptions) {
    this.options = options;
    this.participants = new Map(options.participants.map((participant) => [participant.id, participant]));
  }

  /** Never rejects: a refusal is an answer, too. */
  async answer(signal: Signal): Promise<SignalReply> {
    const askedMs = performance.now();
    if (!this.hasLeg(signal)) return refusalFrom(new Error(`${signal.probe} has no leg ${signal.leg} on this host`));
    const open = this.open(signal.leg);
    if (open.asked >= mostAsked) return refusalFrom(new Error(`leg ${signal.leg} asks too much at once`));
    open.asked += 1;
    try {
      const reply = await this.answered(signal, open);
      if (ofAnswer.has(signal.ask)) open.servedMs += performance.now() - askedMs;
      return reply;
    } catch (error) {
      return refusalFrom(error);
    } finally {
      open.asked -= 1;
      if (this.left.has(signal.probe)) this.free(signal.leg);
    }
  }

  /** They have left while others come: nothing of them is kept, once what they still ask is answered. */
  haveLeft(participants: readonly string[]): void {
    for (const id of participants) {
      this.left.add(id);
      for (const leg of this.participants.get(id)?.legs ?? []) this.free(leg.id);
    }
  }

  private hasLeg({ probe, leg }: Signal): boolean {
    return this.participants.get(probe)?.legs.some(({ id }) => id === leg) === true;
  }

  private free(leg: string): void {
    if (this.legs.get(leg)?.asked === 0) this.legs.delete(leg);
  }

  /** What the media server took of a join, without the bus; undefined where the host spoke to it itself. */
  servedMs(participant: string): number | undefined {
    const legs = (this.participants.get(participant)?.legs ?? []).flatMap(({ id }) => this.legs.get(id) ?? []);
    return legs.some(({ spoke }) => spoke) ? undefined : Math.max(0, ...legs.map(({ servedMs }) => servedMs));
  }

  private async answered(signal: Signal, open: OpenLeg): Promise<SignalReply> {
    switch (signal.ask) {
      case 'begin':
        return this.begin(signal, open);
      case 'negotiate': {
        const agreed = await this.options.negotiate({ ...this.request(signal, open), offer: signal.offer });
        open.addCandidate = (candidate) => agreed.addCandidate(candidate);
        const { answer, iceServers } = agreed;
        return { ok: true, answer, ...(iceServers ? { iceServers: iceServers.map(mutable) } : {}) };
      }
      case 'answer':
        await open.answer?.(signal.answer);
        return { ok: true };
      case 'candidate':
        await open.addCandidate?.(signal.candidate);
        return { ok: true };
      case 'spoke':
        if (!open.spoke) throw new Error(`leg ${signal.leg} was not to be spoken for by this host`);
        await open.spoke(signal.opened);
        this.spokenLegs += 1;
        return { ok: true };
      case 'called-off':
        open.calledOff.abort(new Error('the probe does not wait any more'));
        return { ok: true };
    }
  }

  private async begin(signal: Signal, open: OpenLeg): Promise<SignalReply> {
    const request = this.request(signal, open);
    const renegotiate = (offer: ServerOffer) => this.renegotiate(signal, offer);
    const first = (await this.options.begin?.({ ...request, renegotiate })) ?? { by: 'probe' as const };
    const { candidates, iceServers, waitedMs = 0 } = first;
    open.servedMs -= waitedMs;
    const servers = { ...(iceServers ? { iceServers: iceServers.map(mutable) } : {}), waitedMs };
    if (first.by === 'probe') {
      const { speak, takesEnd, restartIceAfterMs } = first;
      if (speak) open.spoke = (opened) => speak.spoke(opened);
      const spoken = speak ? { speak: { kind: speak.kind, words: speak.words } } : {};
      return {
        ok: true,
        first: { by: 'probe', ...given({ candidates, takesEnd, restartIceAfterMs }), ...servers, ...spoken },
      };
    }
    open.answer = (answer) => first.answer(answer);
    open.addCandidate = (candidate) => first.addCandidate(candidate);
    const timing = first.candidates ? { candidates: first.candidates } : {};
    return { ok: true, first: { by: 'server', ...plainOffer(first), ...timing, ...servers } };
  }

  private request({ probe, leg }: Signal, { calledOff }: OpenLeg) {
    const participant = this.participants.get(probe);
    const own = participant?.legs.find(({ id }) => id === leg);
    if (!participant || !own) throw new Error(`${probe} has no leg ${leg} on this host`);
    const { trial, order, signal } = this.options;
    return {
      participant,
      leg: own,
      // A host that is lost has its own failure: there is nobody left to hand the candidate to.
      onCandidate: (candidate: IceCandidate) =>
        void order({ do: 'candidate', trial, probe, leg, candidate }).catch(() => undefined),
      signal: AbortSignal.any([calledOff.signal, signal]),
    };
  }

  private async renegotiate({ probe, leg }: Signal, offer: ServerOffer): Promise<string> {
    const { trial, order } = this.options;
    const reply = await order({ do: 'renegotiate', trial, probe, leg, offer: plainOffer(offer) });
    if (!reply.ok) throw errorOf(reply);
    if (reply.answer === undefined) throw new Error(`the host did not answer the further offer for leg ${leg}`);
    return reply.answer;
  }

  private open(leg: string): OpenLeg {
    const known = this.legs.get(leg);
    if (known) return known;
    const open: OpenLeg = { calledOff: new AbortController(), servedMs: 0, asked: 0 };
    this.legs.set(leg, open);
    return open;
  }
}

function plainOffer({ offer, places, ended }: ServerOffer) {
  return { offer, ...(places ? { places: [...places] } : {}), ...(ended ? { ended: [...ended] } : {}) };
}

const mutable = <Server extends { readonly urls: readonly string[] }>(server: Server) => ({
  ...server,
  urls: [...server.urls],
});
