import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { atMost } from '../../host/bounded-wait.js';
import { isRunning } from '../../host/processes.js';
import { LoadlineError, messageOf, withWhy } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { isThisHost } from '../evidence/host-address.js';
import { coresOfProcess, readAtRest } from '../evidence/idleness.js';
import { namedProcess } from '../evidence/named-process.js';
import { processFacts } from '../evidence/process-facts.js';
import { findServer, ProcessMeter } from '../evidence/process-resources.js';
import { readBeside } from '../evidence/read-beside.js';
import type { MediaServer, ServerSession } from '../media-server.js';
import { ServerEvents } from '../server-events.js';
import { notStarted } from '../session-owner.js';
import { TrafficCount } from '../sockets/traffic-count.js';
import { liveKitAbilities } from './abilities.js';
import type { Tokens } from './access-token.js';
import { clean } from './cleanliness.js';
import { type LiveKitOptions, liveKitDefaults, type Settings } from './livekit-options.js';
import { type LiveKitAddress, parseLiveKitUrl } from './livekit-url.js';
import { Member } from './member.js';
import { roomNameOf } from './room-name.js';
import { joinUrl, RoomSession } from './room-session.js';
import { RoomService } from './rooms.js';

/** Ending at the end is best effort. */
const farewellMs = 3000;
/** A list has about 900 bytes a room, which the server writes: it is asked for so seldom that this costs nothing. */
const listEveryMs = 10_000;
const stillThereMs = 2000;

interface Running {
  readonly service: RoomService;
  readonly tokens: Tokens;
  readonly facts: ServerFacts;
  readonly meter: ProcessMeter | undefined;
}

/** A LiveKit. Throws E_SERVER_URL. */
export class LiveKitServer implements MediaServer {
  readonly #options: Settings;
  readonly #address: LiveKitAddress;
  readonly #self = { host: hostname(), pid: ownPid };
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  readonly #traffic = new TrafficCount();
  readonly traffic = this.#traffic.now;
  /** Rooms of sessions that are open. */
  readonly #rooms = new Set<string>();
  #running: Running | undefined;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  /** It is being found out whether the server as a whole is gone, or that was told since the last reset. */
  #isLooking = false;
  #stopped: Promise<void> | undefined;

  constructor(options: LiveKitOptions) {
    this.#options = { ...liveKitDefaults, ...options };
    this.#address = parseLiveKitUrl(options.url);
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const tokens = this.#options.tokens();
    const service = new RoomService({
      url: this.#address.serviceUrl,
      tokens,
      timeoutMs: this.#options.requestTimeoutMs,
    });
    await service.list(signal, this.#options.connectTimeoutMs);
    const facts = await this.#findFacts(service, tokens, signal);
    const { pid } = facts;
    const running = { service, tokens, facts, meter: pid === undefined ? undefined : new ProcessMeter(pid) };
    this.#events.tellCleaned(await this.#clean(running, signal));
    this.#running = running;
    return facts;
  }

  async #findFacts(service: RoomService, tokens: Tokens, signal: AbortSignal): Promise<ServerFacts> {
    const version = await this.#versionOf(service, tokens, signal);
    const { host, port } = this.#address;
    const { url, process } = this.#options;
    const sameHost = await isThisHost(host);
    const found = sameHost && process === undefined ? await findServer(port, 'livekit') : undefined;
    const pid = process === undefined ? found : await namedProcess(process);
    return {
      kind: 'livekit',
      nature: 'product',
      name: `livekit ${version}`.trim(),
      version,
      url,
      sameHost,
      ...(await processFacts(pid)),
      abilities: liveKitAbilities,
    };
  }

  /** It says its version to who joins: somebody does, in a room of ours, and so proves that participants can. */
  async #versionOf(service: RoomService, tokens: Tokens, signal: AbortSignal): Promise<string> {
    const room = roomNameOf(this.#self, 'hello');
    await service.create(room, signal);
    try {
      const token = await tokens('loadline', { room, roomJoin: true });
      const silent = { leg: 'hello', onEvent: () => undefined, onLost: () => undefined };
      const url = joinUrl(this.#address.signalUrl, this.#options.connections);
      const member = await Member.join({ place: this.#place, url, token, ...silent }, signal);
      await member.leave();
      return member.version ?? '';
    } finally {
      await service.delete(room, signal);
    }
  }

  get #place() {
    const { connectTimeoutMs, requestTimeoutMs } = this.#options;
    return { connectTimeoutMs, requestTimeoutMs, traffic: this.#traffic };
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { service, tokens } = this.#needRunning('openSession');
    const room = roomNameOf(this.#self, session.id);
    const { picture, connections, agent } = this.#options;
    const rest = given({ signalUrl: this.#address.signalUrl, picture, connections, agent, place: this.#place });
    const opened = await RoomSession.open(
      {
        session,
        room,
        service,
        tokens,
        ...rest,
        onEvent: this.#events.tell,
        onLost: (leg, how) => {
          this.#events.tell({ kind: 'failed', of: 'leg', leg, atMs: Date.now(), detail: `signalling ended: ${how}` });
          void this.#lookWhetherLost(service);
        },
        onClosed: () => this.#rooms.delete(room),
      },
      signal,
    );
    this.#rooms.add(room);
    return opened;
  }

  /** Connections are one a participant: whether all sessions are lost with one of them, the room service says. */
  async #lookWhetherLost(service: RoomService): Promise<void> {
    if (this.#isLooking || this.#stopped) return;
    this.#isLooking = true;
    try {
      const listed = new Set((await service.list(new AbortController().signal, stillThereMs)).map(({ name }) => name));
      const missing = [...this.#rooms].filter((room) => !listed.has(room));
      this.#isLooking = missing.length > 0;
      if (missing.length > 0)
        this.#events.tellNow('sessions-lost', `it has lost ${missing.length} rooms of this trial`);
    } catch (error) {
      const why = error instanceof LoadlineError ? withWhy(error) : messageOf(error);
      this.#events.tellNow('lost', `the LiveKit does not answer any more: ${why}`);
    }
  }

  async reset(signal: AbortSignal): Promise<ResetProof> {
    const startedAtMs = performance.now();
    const running = this.#needRunning('reset');
    const { orphans, foreign } = await this.#clean(running, signal);
    this.#rooms.clear();
    this.#isLooking = false;
    this.#events.tellCleaned({ orphans: 0, foreign });
    const { facts, meter } = running;
    const { pid } = facts;
    const readCores = () => coresOfProcess(pid, signal);
    const atRest = await readAtRest({ foreign, readCores, withinMs: this.#options.idleWithinMs, meter }, signal);
    return { how: 'listed', tookMs: performance.now() - startedAtMs, released: orphans, foreign, ...atRest };
  }

  #clean({ service }: Pick<Running, 'service'>, signal: AbortSignal) {
    return clean({ service, self: this.#self, isRunning, withinMs: this.#options.cleanWithinMs }, signal);
  }

  readonly resources = async (): Promise<ServerReading> => {
    const { service, meter } = this.#needRunning('resources');
    return readBeside(this.#countSessions(service), meter);
  };

  /** Each session is one room; those of others are counted where there is somebody in them. */
  async #countSessions(service: RoomService): Promise<number | undefined> {
    if (performance.now() < this.#listedAtMs + listEveryMs) return undefined;
    this.#listedAtMs = performance.now();
    const rooms = await service.list(new AbortController().signal);
    return rooms.filter(({ participants }) => participants > 0).length;
  }

  #needRunning(what: string): Running {
    if (this.#running !== undefined && this.#stopped === undefined) return this.#running;
    throw notStarted(what, this.#options.url);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    if (!this.#running) return;
    const cleaning = this.#clean(this.#running, new AbortController().signal);
    await atMost(
      farewellMs,
      cleaning.catch(() => undefined),
    );
  }
}
