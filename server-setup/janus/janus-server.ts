import type { ServerReading } from '../../model/evidence.js';
import { shortText } from '../../model/plain-text.js';
import type { Session } from '../../model/scenario.js';
import { readBeside } from '../evidence/read-beside.js';
import { ListingServer, listingDefaults, type Running } from '../listing-server.js';
import type { ServerNote, ServerSession } from '../media-server.js';
import type { Cleaned } from '../server-events.js';
import { tagOf } from '../session-owner.js';
import { tooDeep } from '../sockets/socket-bounds.js';
import { adminNote } from './admin-api.js';
import { AudioBridgeSession } from './audio-bridge-session.js';
import { clean } from './cleanliness.js';
import { type Connected, connect } from './connect.js';
import type { JanusOptions } from './janus-options.js';
import { type JanusAddress, parseJanusUrl } from './janus-url.js';
import { JanusRefusal, noSuchSession } from './refusals.js';
import { descriptionOf, roomsOf } from './rooms.js';
import { VideoRoomSession } from './video-room-session.js';

/** A Janus with its VideoRoom. Throws E_SERVER_URL. */
export class JanusServer extends ListingServer<JanusOptions & typeof listingDefaults, Connected> {
  readonly #address: JanusAddress;
  /** It is being made sure that nothing of ours is left: no session of a trial is open. */
  #isCleaning = false;

  constructor(options: JanusOptions) {
    super({ ...listingDefaults, ...options });
    this.#address = parseJanusUrl(options.url);
  }

  protected connect(signal: AbortSignal): Promise<Connected> {
    return connect(
      this.options,
      this.#address,
      {
        traffic: this.counted,
        onLost: (how) => {
          if (!this.#isCleaning) this.events.tellNow('lost', `the connection to the Janus was lost: ${how}`);
        },
        onEnded: () => this.events.tellNow('sessions-lost', 'Janus has ended a session that it heard nothing of'),
        onStray: (text) => {
          const excess = tooDeep(text);
          if (excess !== undefined) return this.events.tell({ kind: 'excess', atMs: Date.now(), detail: excess });
          const detail = `a frame that answers nothing: ${shortText(text, 80)}`;
          this.events.tell({ kind: 'other', atMs: Date.now(), name: 'unreadable', detail });
        },
      },
      signal,
    );
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { calls } = this.needRunning('openSession');
    const { maxVideoKbps: videoKbps, videoCodec, svc, secrets } = this.options;
    const description = descriptionOf(tagOf(this.self));
    const all = { session, calls, ...this.#hearing(session) };
    if (session.shape === 'mix-sound') return AudioBridgeSession.open({ ...all, description }, signal);
    const shelf = this.recordings?.shelf;
    const room = { description, videoKbps, videoCodec, svc, key: secrets?.roomKey };
    const opened = await VideoRoomSession.open({ ...all, room, shelf }, signal);
    this.recordings?.add(opened);
    return opened;
  }

  #hearing({ id }: Session) {
    return {
      onEvent: this.events.tell,
      onEnded: () =>
        this.events.tellNow('sessions-lost', `session ${id}: Janus has ended it, because it heard nothing of it`),
    };
  }

  /**
   * A connection that is gone stays so, for its sessions went with it: between trials another is made. That it is gone
   * may show only when it is used, which is nothing that the trial that begins has done.
   */
  protected override async cleanBetween(running: Connected, signal: AbortSignal): Promise<Cleaned> {
    this.#isCleaning = true;
    try {
      if (!isLost(running)) return await this.clean(running, signal);
    } catch (error) {
      if (signal.aborted || !(isLost(running) || isGone(error))) throw error;
    } finally {
      this.#isCleaning = false;
    }
    await this.hangUp(running);
    const again = await this.connectAnew(signal);
    // No session of the trial that begins: none is open while a server is reset.
    this.events.tellNow('reconnected', 'it was gone between trials, and answers on a new connection');
    return this.clean(again, signal);
  }

  protected clean({ calls, controls, admin }: Connected, signal: AbortSignal): Promise<Cleaned> {
    return clean({ calls, controls, admin, self: this.self, withinMs: this.options.cleanWithinMs }, signal);
  }

  protected read({ calls, controls, meter }: Running<Connected>): Promise<ServerReading> {
    // Each session is one room; those of others are counted where there is somebody in them.
    const count = roomsOf(calls, controls).then((rooms) => rooms.filter(({ participants }) => participants > 0).length);
    return readBeside(count, meter);
  }

  readonly notes = (): readonly ServerNote[] => [adminNote(this.needRunning('notes').admin)];

  protected async hangUp({ calls, admin }: Connected): Promise<void> {
    await Promise.all([calls.close(), admin?.close()]);
  }

  protected override endings(running: Connected): readonly (() => Promise<unknown>)[] {
    const { calls } = running;
    const endSessions = () => Promise.allSettled(calls.sessions.map((session) => calls.endSession(session)));
    return [...super.endings(running), endSessions];
  }
}

/** Its Admin API is spoken to over a connection of its own. */
const isLost = ({ calls, admin }: Connected): boolean => calls.link.isLost || admin?.isLost === true;

/** The session by which rooms are listed, as of a Janus that was started anew behind HTTP. */
const isGone = (error: unknown): boolean => error instanceof JanusRefusal && error.number === noSuchSession;
