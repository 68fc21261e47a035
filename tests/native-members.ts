import type { Participant } from '../model/scenario.js';
import { Negotiation } from '../probes/ledger/negotiation.js';
import { NativeProbe } from '../probes/native/native-probe.js';
import type { PeerSurroundings } from '../probes/native/peer-options.js';
import type { HostCall, HostReply } from '../probes/page/wire.js';
import type { ServerSession } from '../server-setup/media-server.js';
import type { NamedRelay } from '../server-setup/turn/turn-relay.js';
import { type Signalling, withNamedRelay } from '../trial/named-relay.js';

interface NativeMember {
  readonly id: string;
  readonly probe: NativeProbe;
  /** What has become of it. */
  readonly told: HostCall[];
}

/** Native probes of this process, each of which signals to a session of a media server. */
export class NativeMembers {
  readonly all = new Map<string, NativeMember>();

  constructor(
    private readonly opened: ServerSession,
    private readonly surroundings: PeerSurroundings,
    private readonly signal: AbortSignal,
    /** Absent: they go directly. */
    private readonly relay?: NamedRelay,
  ) {}

  join(participant: Participant): NativeMember {
    const { signal, surroundings, relay } = this;
    const told: HostCall[] = [];
    const negotiations = new Map(
      participant.legs.map((leg) => [
        leg.id,
        new Negotiation({
          ...{ participant, leg, signal },
          ...this.signalling(),
          renegotiate: async (offer) => (await probe.renegotiate(leg.id, offer)) ?? '',
          toPage: (candidate) => probe.addCandidate(leg.id, candidate),
          onRefusal: ({ detail }) =>
            void told.push({ call: 'failed', probe: participant.id, failure: failure(detail) }),
        }),
      ]),
    );
    const answer = async (call: HostCall): Promise<HostReply | null> => {
      const one = 'leg' in call ? negotiations.get(call.leg) : undefined;
      if (call.call === 'begin') return one?.begin() ?? null;
      if (call.call === 'negotiate') return one?.offer(call.offer) ?? null;
      if (call.call === 'answered') return one?.answered(call.answer) ?? null;
      if (call.call === 'candidate') one?.candidate(call.candidate);
      else told.push(call);
      return null;
    };
    const order = { participant, deadlineMs: 20_000, ...(relay ? { relay: relay.accessFor(participant.id) } : {}) };
    const probe: NativeProbe = new NativeProbe(order, surroundings, answer);
    const member = { id: participant.id, probe, told };
    this.all.set(participant.id, member);
    void probe.start();
    return member;
  }

  private signalling(): Signalling {
    const { opened, relay } = this;
    const plain: Signalling = {
      negotiate: (request) => opened.join(request),
      begin: async (request) => opened.begin?.({ ...request, sourcesThere: async () => undefined }) ?? { by: 'probe' },
    };
    return relay ? withNamedRelay(plain, relay, () => undefined) : plain;
  }

  leave(id: string): void {
    this.all.get(id)?.probe.leave();
    this.all.delete(id);
  }

  close(): void {
    for (const { probe } of this.all.values()) probe.leave();
    this.all.clear();
  }
}

const failure = (detail: string) => ({ code: 'signalling-unusable', atMs: Date.now(), detail }) as const;
