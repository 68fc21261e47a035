import type { Session } from '../model/scenario.js';
import type { Negotiate } from '../model/signalling.js';
import type { MediaServer, ServerSession } from '../server-setup/media-server.js';

/**
 * The sessions of one trial on the media server. Each is opened when its first participant negotiates; when that fails
 * it fails for all its participants, and is not tried again.
 */
export class SessionBook {
  private readonly sessions: ReadonlyMap<string, Session>;
  private readonly opened = new Map<string, Promise<ServerSession>>();
  private closed = false;

  constructor(
    private readonly server: MediaServer,
    sessions: readonly Session[],
    private readonly signal: AbortSignal,
  ) {
    this.sessions = new Map(sessions.map((session) => [session.id, session]));
  }

  /** Rejections are one probe's failure. */
  readonly negotiate: Negotiate = async (request) => {
    const session = await this.open(request.participant.session);
    return session.join(request);
  };

  /** Closes every session, those still being opened included. Rejects when some could not be closed, with the first reason. */
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
    if (!session || this.closed) return Promise.reject(new Error(`session ${id} is not part of this trial any more`));
    const opening = this.server.openSession(session, this.signal);
    this.opened.set(id, opening);
    return opening;
  }
}
