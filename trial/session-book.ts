import { LoadlineError } from '../model/errors.js';
import { type Leg, type Participant, type Session, senderOfSource, sourcesOf } from '../model/scenario.js';
import type { Begin, LegRequest, Negotiate, ProbeOffers } from '../model/signalling.js';
import type { LayerRequest, MediaServer, ServerSession, SessionLegRequest } from '../server-setup/media-server.js';

type Asker = Pick<LegRequest, 'participant' | 'leg'>;

/**
 * The sessions of one trial on the media server. Each is opened when its first participant negotiates; when that fails
 * it fails for all its participants, and is not tried again.
 */
export class SessionBook {
  private readonly sessions: ReadonlyMap<string, Session>;
  private readonly opened = new Map<string, Promise<ServerSession>>();
  private readonly ended = new Set<string>();
  private closed = false;
  /** Participants who send by now. */
  private readonly sending = new Set<string>();
  /** How many questions of each sender are with the server. */
  private readonly asked = new Map<string, number>();
  /** By session: what to call when either has changed. */
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly server: MediaServer,
    sessions: readonly Session[],
    private readonly signal: AbortSignal,
    private readonly nowMs = () => performance.now(),
  ) {
    this.sessions = new Map(sessions.map((session) => [session.id, session]));
  }

  /** A probe's offer, answered by the server. A rejection is that probe's failure and nobody else's. */
  readonly negotiate: Negotiate = async (request) => {
    const { participant, leg } = request;
    const agreed = await this.asking(request, async () => (await this.open(participant.session)).join(request));
    this.joined(participant, leg);
    return agreed;
  };

  /** Asks the server who offers first on a leg. Where the server does, the leg has joined with its answer. */
  readonly begin: Begin = async (request) => {
    const { participant, leg, signal } = request;
    let waitedMs = 0;
    const sourcesThere: SessionLegRequest['sourcesThere'] = async (howMany = 'all', connected = undefined) => {
      waitedMs += await this.sourcesThere(participant.session, leg, signal, howMany);
      const fromMs = this.nowMs();
      await connected?.();
      waitedMs += this.nowMs() - fromMs;
    };
    const first = await this.asking(request, async () =>
      (await this.open(participant.session)).begin?.({ ...request, sourcesThere }),
    );
    const waited = waitedMs > 0 ? { waitedMs } : {};
    if (first?.by !== 'server')
      return first ? { ...this.spokenFor(participant, leg, first), ...waited } : { by: 'probe' };
    return {
      ...first,
      ...waited,
      addCandidate: (candidate) => first.addCandidate(candidate),
      answer: async (answer) => {
        await this.asking(request, () => first.answer(answer));
        this.joined(participant, leg);
      },
    };
  };

  /** Where the host of the probe speaks for itself, the leg has joined when it says that it has. */
  private spokenFor(participant: Participant, leg: Leg, first: ProbeOffers): ProbeOffers {
    const { speak } = first;
    if (!speak) return first;
    return {
      ...first,
      speak: {
        ...speak,
        spoke: async (opened) => {
          await speak.spoke(opened);
          this.joined(participant, leg);
        },
      },
    };
  }

  private joined(participant: Participant, leg: Leg): void {
    if (leg.sends.length === 0) return;
    this.sending.add(participant.id);
    this.changed(participant.session);
  }

  private changed(session: string): void {
    for (const look of [...(this.waiting.get(session) ?? [])]) look();
  }

  /** What the server takes for a sender is its own part of how long others wait for that sender. */
  private async asking<T>({ participant, leg }: Asker, answer: () => Promise<T>): Promise<T> {
    if (leg.sends.length === 0) return answer();
    const { id, session } = participant;
    const count = (more: 1 | -1) => {
      const asked = (this.asked.get(id) ?? 0) + more;
      if (asked > 0) this.asked.set(id, asked);
      else this.asked.delete(id);
      this.changed(session);
    };
    count(1);
    return answer().finally(() => count(-1));
  }

  /**
   * Of the session's own members; bounded by the signal, which ends with the probe. Returns for how long nobody who was
   * missing had asked the server: then it waited for their pages.
   */
  private async sourcesThere(session: string, leg: Leg, signal: AbortSignal, howMany: 'all' | 'any'): Promise<number> {
    const members = new Set(this.sessions.get(session)?.participants.map(({ id }) => id));
    const sources = sourcesOf(leg).flatMap((source) => senderOfSource(source) ?? []);
    const wanted = sources.filter((id) => members.has(id));
    let ofOthersMs = 0;
    for (;;) {
      const missing = wanted.filter((id) => !this.sending.has(id));
      if (missing.length === 0 || (howMany === 'any' && missing.length < wanted.length)) return ofOthersMs;
      signal.throwIfAborted();
      const fromMs = this.nowMs();
      const isAsked = missing.some((id) => this.asked.has(id));
      await this.change(session, signal);
      if (!isAsked) ofOthersMs += this.nowMs() - fromMs;
    }
  }

  /** Until a sender of the session has asked or joined, or the probe's time is over; leaves nothing behind. */
  private change(session: string, signal: AbortSignal): Promise<void> {
    const waiting = this.waiting.get(session) ?? new Set();
    this.waiting.set(session, waiting);
    return new Promise((resolve) => {
      const look = () => {
        waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      waiting.add(look);
      signal.addEventListener('abort', look);
    });
  }

  /** Rejects where the server does not take it. */
  async ask(request: LayerRequest): Promise<void> {
    const session = await this.opened.get(request.participant.session);
    if (!session?.ask) throw new Error('this server cannot be asked for another layer');
    await session.ask(request);
  }

  /** Ends these legs of a lasting session, with their owners. Rejects on failure, and is not tried again. */
  async leave(id: string, participant: string, legs: readonly string[]): Promise<void> {
    this.sending.delete(participant);
    const session = await this.opened.get(id)?.catch(() => undefined);
    if (!session) return;
    if (session.leave) return session.leave(legs);
    throw new LoadlineError('E_INTERNAL', 'Nobody can leave a session on this server while it goes on.', { where: id });
  }

  /** Closes one session whose participants leave while others come. Rejects on failure; not tried again. */
  async end(id: string): Promise<void> {
    const opening = this.opened.get(id);
    this.ended.add(id);
    this.waiting.delete(id);
    this.opened.delete(id);
    for (const { id: participant } of this.sessions.get(id)?.participants ?? []) this.sending.delete(participant);
    const session = await opening?.catch(() => undefined);
    await session?.close();
  }

  /** Closes every session, those being opened included. Rejects with the first failure. */
  async close(): Promise<void> {
    this.closed = true;
    const closings = [...this.opened.values()].map(async (opening) => {
      const session = await opening.catch(() => undefined);
      await session?.close();
    });
    const results = await Promise.allSettled(closings);
    const failures = results.filter((result) => result.status === 'rejected');
    const [first] = failures;
    if (!first) return;
    const why = first.reason instanceof Error ? first.reason.message : String(first.reason);
    throw new Error(`${failures.length} of ${results.length} failed, the first with: ${why}`);
  }

  private open(id: string): Promise<ServerSession> {
    const known = this.opened.get(id);
    if (known) return known;
    const session = this.sessions.get(id);
    if (!session || this.closed || this.ended.has(id))
      return Promise.reject(new Error(`session ${id} is not part of this trial any more`));
    const opening = this.server.openSession(session, this.signal);
    this.opened.set(id, opening);
    return opening;
  }
}
