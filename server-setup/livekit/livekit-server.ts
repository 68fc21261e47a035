import { LoadlineError, messageOf, withWhy } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { runsAt } from '../evidence/process-facts.js';
import { readBeside } from '../evidence/read-beside.js';
import { ListingServer, type Running } from '../listing-server.js';
import type { ServerSession } from '../media-server.js';
import type { Cleaned } from '../server-events.js';
import { liveKitAbilities } from './abilities.js';
import type { Tokens } from './access-token.js';
import { clean } from './cleanliness.js';
import { type LiveKitOptions, liveKitDefaults, type Settings } from './livekit-options.js';
import { type LiveKitAddress, parseLiveKitUrl } from './livekit-url.js';
import { Member } from './member.js';
import { roomNameOf } from './room-name.js';
import { joinUrl, RoomSession } from './room-session.js';
import { RoomService } from './rooms.js';

/** A list has about 900 bytes a room, which the server writes: it is asked for so seldom that this costs nothing. */
const listEveryMs = 10_000;
const stillThereMs = 2000;

interface Connected {
  readonly service: RoomService;
  readonly tokens: Tokens;
  readonly facts: ServerFacts;
}

/** A LiveKit. Throws E_SERVER_URL. */
export class LiveKitServer extends ListingServer<Settings, Connected> {
  readonly #address: LiveKitAddress;
  /** Rooms of sessions that are open. */
  readonly #rooms = new Set<string>();
  #listedAtMs = Number.NEGATIVE_INFINITY;
  /** It is being found out whether the server as a whole is gone, or that was told since the last reset. */
  #isLooking = false;

  constructor(options: LiveKitOptions) {
    super({ ...liveKitDefaults, ...options });
    this.#address = parseLiveKitUrl(options.url);
  }

  protected async connect(signal: AbortSignal): Promise<Connected> {
    const tokens = this.options.tokens();
    const { requestTimeoutMs: timeoutMs, connectTimeoutMs } = this.options;
    const service = new RoomService({ url: this.#address.serviceUrl, tokens, timeoutMs });
    await service.list(signal, connectTimeoutMs);
    return { service, tokens, facts: await this.#findFacts(service, tokens, signal) };
  }

  async #findFacts(service: RoomService, tokens: Tokens, signal: AbortSignal): Promise<ServerFacts> {
    const version = await this.#versionOf(service, tokens, signal);
    const { url, process } = this.options;
    return {
      kind: 'livekit',
      nature: 'product',
      name: `livekit ${version}`.trim(),
      version,
      url,
      ...(await runsAt({ ...this.#address, program: 'livekit', process })),
      abilities: liveKitAbilities,
    };
  }

  /** It says its version to who joins: somebody does, in a room of ours, and so proves that participants can. */
  async #versionOf(service: RoomService, tokens: Tokens, signal: AbortSignal): Promise<string> {
    const room = roomNameOf(this.self, 'hello');
    await service.create(room, signal);
    try {
      const token = await tokens('loadline', { room, roomJoin: true });
      const silent = { leg: 'hello', onEvent: () => undefined, onLost: () => undefined };
      const url = joinUrl(this.#address.signalUrl, this.options.connections);
      const member = await Member.join({ place: this.#place, url, token, ...silent }, signal);
      await member.leave();
      return member.version ?? '';
    } finally {
      await service.delete(room, signal);
    }
  }

  get #place() {
    const { connectTimeoutMs, requestTimeoutMs } = this.options;
    return { connectTimeoutMs, requestTimeoutMs, traffic: this.counted };
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { service, tokens } = this.needRunning('openSession');
    const room = roomNameOf(this.self, session.id);
    const { picture, connections, agent } = this.options;
    const rest = given({ signalUrl: this.#address.signalUrl, picture, connections, agent, place: this.#place });
    const opened = await RoomSession.open(
      {
        session,
        room,
        service,
        tokens,
        ...rest,
        onEvent: this.events.tell,
        onLost: (leg, how) => {
          this.events.tell({ kind: 'failed', of: 'leg', leg, atMs: Date.now(), detail: `signalling ended: ${how}` });
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
    if (this.#isLooking || this.isStopped) return;
    this.#isLooking = true;
    try {
      const listed = new Set((await service.list(new AbortController().signal, stillThereMs)).map(({ name }) => name));
      const missing = [...this.#rooms].filter((room) => !listed.has(room));
      this.#isLooking = missing.length > 0;
      if (missing.length > 0) this.events.tellNow('sessions-lost', `it has lost ${missing.length} rooms of this trial`);
    } catch (error) {
      const why = error instanceof LoadlineError ? withWhy(error) : messageOf(error);
      this.events.tellNow('lost', `the LiveKit does not answer any more: ${why}`);
    }
  }

  protected async clean({ service }: Connected, signal: AbortSignal): Promise<Cleaned> {
    const found = await clean({ service, self: this.self, withinMs: this.options.cleanWithinMs }, signal);
    this.#rooms.clear();
    this.#isLooking = false;
    return found;
  }

  protected read({ service, meter }: Running<Connected>): Promise<ServerReading> {
    return readBeside(this.#countSessions(service), meter);
  }

  /** Each session is one room; those of others are counted where there is somebody in them. */
  async #countSessions(service: RoomService): Promise<number | undefined> {
    if (performance.now() < this.#listedAtMs + listEveryMs) return undefined;
    this.#listedAtMs = performance.now();
    const rooms = await service.list(new AbortController().signal);
    return rooms.filter(({ participants }) => participants > 0).length;
  }

  /** Connections are one a participant. */
  protected async hangUp(): Promise<void> {}
}
