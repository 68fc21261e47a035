import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { atMost } from '../../host/bounded-wait.js';
import { isRunning } from '../../host/processes.js';
import type { ServerReading } from '../../model/evidence.js';
import { shortText } from '../../model/plain-text.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { coresOfProcess, readAtRest } from '../evidence/idleness.js';
import { ProcessMeter } from '../evidence/process-resources.js';
import { readBeside } from '../evidence/read-beside.js';
import type { MediaServer, ServerNote, ServerSession } from '../media-server.js';
import { ServerRecordings } from '../recordings/server-recordings.js';
import { type Cleaned, ServerEvents } from '../server-events.js';
import { notStarted, tagOf } from '../session-owner.js';
import { tooDeep } from '../sockets/socket-bounds.js';
import { TrafficCount } from '../sockets/traffic-count.js';
import { adminNote } from './admin-api.js';
import { AudioBridgeSession } from './audio-bridge-session.js';
import { clean } from './cleanliness.js';
import { type Connected, connect } from './connect.js';
import { type JanusOptions, janusDefaults } from './janus-options.js';
import { type JanusAddress, parseJanusUrl } from './janus-url.js';
import { JanusRefusal, noSuchSession } from './refusals.js';
import { descriptionOf, roomsOf } from './rooms.js';
import { VideoRoomSession } from './video-room-session.js';

/** Ending at the end is best effort: Janus ends the sessions of a connection with it. */
const farewellMs = 3000;

interface Running extends Connected {
  readonly meter: ProcessMeter | undefined;
}

/** A Janus with its VideoRoom. Throws E_SERVER_URL. */
export class JanusServer implements MediaServer {
  readonly #options: JanusOptions & typeof janusDefaults;
  readonly #address: JanusAddress;
  readonly #self = { host: hostname(), pid: ownPid };
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  readonly #traffic = new TrafficCount();
  readonly traffic = this.#traffic.now;
  readonly recordings?: ServerRecordings;
  #running: Running | undefined;
  /** It is being made sure that nothing of ours is left: no session of a trial is open. */
  #isCleaning = false;
  #stopped: Promise<void> | undefined;

  constructor(options: JanusOptions) {
    this.#options = { ...janusDefaults, ...options };
    this.#address = parseJanusUrl(options.url);
    if (options.record === true) this.recordings = new ServerRecordings();
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const running = await this.#connect(signal);
    try {
      this.#events.tellCleaned(await this.#clean(running, signal));
      const { sameHost, pid } = running.facts;
      await this.recordings?.open({ place: sameHost ? 'perhaps-here' : 'elsewhere', serverPid: pid });
    } catch (error) {
      this.#running = undefined;
      await hangUp(running);
      throw error;
    }
    return running.facts;
  }

  async #connect(signal: AbortSignal): Promise<Running> {
    const connected = await connect(
      this.#options,
      this.#address,
      {
        traffic: this.#traffic,
        onLost: (how) => {
          if (!this.#isCleaning) this.#events.tellNow('lost', `the connection to the Janus was lost: ${how}`);
        },
        onEnded: () => this.#events.tellNow('sessions-lost', 'Janus has ended a session that it heard nothing of'),
        onStray: (text) => {
          const excess = tooDeep(text);
          if (excess !== undefined) return this.#events.tell({ kind: 'excess', atMs: Date.now(), detail: excess });
          const detail = `a frame that answers nothing: ${shortText(text, 80)}`;
          this.#events.tell({ kind: 'other', atMs: Date.now(), name: 'unreadable', detail });
        },
      },
      signal,
    );
    const { pid } = connected.facts;
    this.#running = { ...connected, meter: pid === undefined ? undefined : new ProcessMeter(pid) };
    return this.#running;
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { calls } = this.#needRunning('openSession');
    const { maxVideoKbps: videoKbps, videoCodec, svc, secrets } = this.#options;
    const description = descriptionOf(tagOf(this.#self));
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
      onEvent: this.#events.tell,
      onEnded: () =>
        this.#events.tellNow('sessions-lost', `session ${id}: Janus has ended it, because it heard nothing of it`),
    };
  }

  async reset(signal: AbortSignal): Promise<ResetProof> {
    const startedAtMs = performance.now();
    await this.recordings?.discard();
    const { orphans, foreign } = await this.#cleanAfresh(signal);
    this.#events.tellCleaned({ orphans: 0, foreign });
    const { facts, meter } = this.#needRunning('reset');
    const { pid } = facts;
    const readCores = () => coresOfProcess(pid, signal);
    const resting = { foreign, readCores, withinMs: this.#options.idleWithinMs, meter };
    const atRest = await readAtRest(resting, signal);
    return { how: 'listed', tookMs: performance.now() - startedAtMs, released: orphans, foreign, ...atRest };
  }

  /**
   * A connection that is gone stays so, for its sessions went with it: between trials another is made. That it is gone
   * may show only when it is used, which is nothing that the trial that begins has done.
   */
  async #cleanAfresh(signal: AbortSignal): Promise<Cleaned> {
    const running = this.#needRunning('reset');
    this.#isCleaning = true;
    try {
      if (!isLost(running)) return await this.#clean(running, signal);
    } catch (error) {
      if (signal.aborted || !(isLost(running) || isGone(error))) throw error;
    } finally {
      this.#isCleaning = false;
    }
    await hangUp(running);
    const again = await this.#connect(signal);
    // No session of the trial that begins: none is open while a server is reset.
    this.#events.tellNow('reconnected', 'it was gone between trials, and answers on a new connection');
    return this.#clean(again, signal);
  }

  #clean({ calls, controls, admin }: Running, signal: AbortSignal): Promise<Cleaned> {
    const withinMs = this.#options.cleanWithinMs;
    return clean({ calls, controls, admin, self: this.#self, isRunning, withinMs }, signal);
  }

  readonly resources = async (): Promise<ServerReading> => {
    const { calls, controls, meter } = this.#needRunning('resources');
    // Each session is one room; those of others are counted where there is somebody in them.
    const count = roomsOf(calls, controls).then((rooms) => rooms.filter(({ participants }) => participants > 0).length);
    return readBeside(count, meter);
  };

  readonly notes = (): readonly ServerNote[] => [adminNote(this.#needRunning('notes').admin)];

  #needRunning(what: string): Running {
    if (this.#running !== undefined && this.#stopped === undefined) return this.#running;
    throw notStarted(what, this.#options.url);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    await atMost(
      farewellMs,
      this.#clean(running, new AbortController().signal).catch(() => undefined),
    );
    const { calls } = running;
    await atMost(farewellMs, Promise.allSettled(calls.sessions.map((session) => calls.endSession(session))));
    await hangUp(running);
    await this.recordings?.close();
  }
}

/** Its Admin API is spoken to over a connection of its own. */
const isLost = ({ calls, admin }: Connected): boolean => calls.link.isLost || admin?.isLost === true;

/** The session by which rooms are listed, as of a Janus that was started anew behind HTTP. */
const isGone = (error: unknown): boolean => error instanceof JanusRefusal && error.number === noSuchSession;

async function hangUp({ calls, admin }: Connected): Promise<void> {
  await Promise.all([calls.close(), admin?.close()]);
}
