import { randomUUID } from 'node:crypto';
import { LoadlineError } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import type {
  Begin,
  IceCandidate,
  LegRequest,
  Negotiate,
  Negotiated,
  NegotiationRequest,
  Speaker,
} from '../../model/signalling.js';
import { type Allowed, forbiddenText, type WordsOfServer } from '../allowed.js';
import { ask } from './asking.js';
import type { Bus } from './bus.js';
import { errorOf } from './refusals.js';
import { type HostAddress, signalSubject } from './subjects.js';
import { type Signal, type SignalReply, signalReply } from './wire.js';

/** By the kind of media server; each is loaded when it is needed. */
export type Speakers = ReadonlyMap<string, () => Promise<Speaker>>;

interface SignalRelayOptions {
  readonly bus: Bus;
  readonly lease: string;
  /** This host, as the bus knows it. */
  readonly address: HostAddress;
  readonly trial: string;
  readonly allowed: Allowed;
  /** The media server is at an address that this host may not send to or ask: its part of the trial is over. */
  readonly onForbidden: (why: string) => void;
  /** Speaks to servers of a kind, where this host can. */
  readonly speakerOf: (kind: string) => Promise<Speaker | undefined>;
  readonly signal: AbortSignal;
}

type OfLeg = Readonly<Record<'probe' | 'leg', string>>;

interface LegWords {
  readonly probe: string;
  readonly onCandidate: (candidate: IceCandidate) => void;
  readonly renegotiate?: LegRequest['renegotiate'];
  /** The host speaks to the media server itself. */
  readonly speak?: { readonly kind: string; readonly words: string };
}

/** A probe is given up long before; the bound is for what nobody gives up. */
const withinMs = 120_000;
/** Long enough for most answers: the conductor would only answer that it is at it. */
const againAfterMs = 5000;

/** The host's end of signalling: what a probe asks of the media server goes to the conductor, which speaks to it. */
export class SignalRelay {
  private readonly options: SignalRelayOptions;
  private readonly legs = new Map<string, LegWords>();
  private readonly left = new Set<string>();

  constructor(options: SignalRelayOptions) {
    this.options = options;
  }

  readonly begin: Begin = async (request) => {
    const { participant, leg, onCandidate, renegotiate, signal } = request;
    const of = { probe: participant.id, leg: leg.id };
    this.keep(of, { onCandidate, renegotiate });
    const reply = await this.patiently({ ask: 'begin', ...of }, signal);
    if (!('first' in reply)) throw unreadable('who makes the first offer');
    this.assertAllowed({ urls: urlsOf(reply.first.iceServers) });
    if (reply.first.by === 'probe') {
      const { speak, ...first } = reply.first;
      if (speak) this.keep(of, { onCandidate, renegotiate, speak });
      return first;
    }
    this.assertAllowed({ description: reply.first.offer });
    return {
      ...reply.first,
      answer: async (answer) => void (await this.patiently({ ask: 'answer', ...of, answer }, signal)),
      addCandidate: (candidate) => this.hand(of, candidate),
    };
  };

  readonly negotiate: Negotiate = async (request) => {
    const { participant, leg, offer, onCandidate, signal } = request;
    const known = this.legs.get(leg.id);
    const of = { probe: participant.id, leg: leg.id };
    this.keep(of, { ...known, onCandidate });
    if (known?.speak) return this.spoken(known.speak, of, request);
    const reply = await this.patiently({ ask: 'negotiate', ...of, offer }, signal);
    if (!('answer' in reply)) throw unreadable('an answer to an offer');
    const { answer, iceServers } = reply;
    this.assertAllowed({ description: answer, urls: urlsOf(iceServers) });
    return { answer, ...(iceServers ? { iceServers } : {}), addCandidate: (candidate) => this.hand(of, candidate) };
  };

  /** The conductor hears only what was opened, and ends it. */
  private async spoken(
    { kind, words }: NonNullable<LegWords['speak']>,
    of: OfLeg,
    request: NegotiationRequest,
  ): Promise<Negotiated> {
    const speaker = await this.options.speakerOf(kind);
    if (!speaker) throw new Error(`this host does not know how to speak to a ${kind} server`);
    const { opened, end, ...agreed } = await speaker(words, request, (url) => this.assertAllowed({ asks: url }));
    try {
      await this.patiently({ ask: 'spoke', ...of, opened }, request.signal);
      this.assertAllowed({ description: agreed.answer, urls: urlsOf(agreed.iceServers) });
      return agreed;
    } catch (error) {
      await end().catch(() => undefined);
      throw error;
    }
  }

  /** They have left while others come: nothing of them is kept. */
  haveLeft(participants: readonly string[]): void {
    const gone = new Set(participants);
    for (const id of participants) this.left.add(id);
    for (const [leg, { probe }] of this.legs) if (gone.has(probe)) this.legs.delete(leg);
  }

  private keep({ probe, leg }: OfLeg, words: Omit<LegWords, 'probe'>): void {
    if (!this.left.has(probe)) this.legs.set(leg, { ...words, probe });
  }

  /** The media server's, which came with an order. */
  candidate(leg: string, candidate: IceCandidate): void {
    this.assertAllowed({ candidate: candidate.candidate });
    this.legs.get(leg)?.onCandidate(candidate);
  }

  /** A further offer of the media server; the probe's answer. */
  async renegotiate(leg: string, offer: Parameters<LegRequest['renegotiate']>[0]): Promise<string> {
    const words = this.legs.get(leg);
    if (!words?.renegotiate) throw new Error(`leg ${leg} has not begun`);
    this.assertAllowed({ description: offer.offer });
    return words.renegotiate(offer);
  }

  private assertAllowed(said: WordsOfServer): void {
    const address = this.options.allowed.forbidden(said);
    if (address === undefined) return;
    const why = forbiddenText(address, said.asks === undefined ? 'send media to' : 'ask');
    this.options.onForbidden(why);
    throw new Error(why);
  }

  private async hand(of: OfLeg, candidate: IceCandidate): Promise<void> {
    await this.asked({ ask: 'candidate', ...of, candidate }, this.options.signal);
  }

  /** Tells the conductor when the probe does not wait any more. */
  private async patiently(signal: Signal, ended: AbortSignal): Promise<Exclude<SignalReply, { ok: false }>> {
    const callOff = () => {
      const { probe, leg } = signal;
      this.asked({ ask: 'called-off', probe, leg }, this.options.signal).catch(() => undefined);
    };
    ended.addEventListener('abort', callOff, { once: true });
    try {
      return await this.asked(signal, AbortSignal.any([ended, this.options.signal]));
    } finally {
      ended.removeEventListener('abort', callOff);
    }
  }

  private async asked(signal: Signal, ended: AbortSignal): Promise<Exclude<SignalReply, { ok: false }>> {
    const { bus, lease, address, trial } = this.options;
    const text = JSON.stringify({ id: randomUUID(), trial, signal });
    if (Buffer.byteLength(text) > bus.textBytesMax)
      throw new Error(`${Buffer.byteLength(text)} bytes are too many for the bus`);
    const answer = await ask(bus, signalSubject(lease, address), text, { withinMs, againAfterMs, signal: ended });
    const read = signalReply.safeParse(jsonIn(answer));
    if (!read.success) throw unreadable('an answer');
    if (!read.data.ok) throw errorOf(read.data);
    return read.data;
  }
}

const urlsOf = (servers: readonly { readonly urls: readonly string[] }[] = []) => servers.flatMap(({ urls }) => urls);

function unreadable(what: string): LoadlineError {
  return new LoadlineError('E_SERVER_PROTOCOL', `The conductor did not say ${what} that can be read.`, {
    todo: 'run the same version of Loadline on all hosts',
  });
}
