import { atMost } from '../../host/bounded-wait.js';
import type { Environment } from '../../model/environment.js';
import { LoadlineError, saidBy } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { readCandidateLine } from '../../model/ice-candidate.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { EndedStreams, type Ending, type StreamAnswer } from '../ended-streams.js';
import { isThisHost } from '../evidence/host-address.js';
import { namedProcess } from '../evidence/named-process.js';
import { processFacts } from '../evidence/process-facts.js';
import { findReceiver, ProcessMeter } from '../evidence/process-resources.js';
import type { MediaServer, ServerSession } from '../media-server.js';
import { ServerEvents } from '../server-events.js';
import { TrafficCount } from '../sockets/traffic-count.js';
import { streamNames } from '../stream-of-leg.js';
import { whipAbilities } from './abilities.js';
import { shownHeaders, tokenNames, type WhipProtocol } from './credentials.js';
import { askWithoutOffer, inspectEndpoint, type KnownEndpoint, type WhipEndpoint } from './endpoint.js';
import { hostOfEndpoint, streamPlace } from './endpoint-url.js';
import { whipWord } from './whip-flags.js';
import { type AnyWhipResource, WhipSession } from './whip-session.js';

export interface WhipOptions {
  /** Where streams are published, and where they are viewed; absent: nowhere. */
  readonly addresses: Readonly<Record<WhipProtocol, string>>;
  /** Tokens and headers come from here. */
  readonly env: Environment;
  /** How long any one request may take. */
  readonly requestTimeoutMs: number;
  /** How long a viewer waits for a stream that is not there. */
  readonly streamWithinMs: number;
  /** The hosts of the probes speak to the endpoints themselves. */
  readonly spokenByHosts?: boolean;
  /** The name of its kind; absent: any server of both standards. */
  readonly kind?: string;
  /** Absent: what is known of any. */
  readonly abilities?: ServerAbilities;
  /** Which process of this host it is, as of `namedProcess`; absent: nobody knows. */
  readonly process?: string;
  /** The bearer token where the environment has none; may hold `{stream}`. */
  readonly usualToken?: string;
  /** What the standard forbids is an error. Absent: a server is taken as it is. */
  readonly strict?: boolean;
  /** So long after its answer each probe restarts ICE; absent: none does. */
  readonly restartIceAfterMs?: number;
}

/** Ending at the end is best effort. */
const farewellMs = 3000;
/** What ours says of itself in its `Server` header. */
const oursPattern = /^loadline-embedded\//;

/** Any server that speaks WHIP and WHEP. Throws E_USAGE, E_SERVER_URL. */
export class WhipServer implements MediaServer {
  readonly #closed: Readonly<Record<WhipProtocol, WhipEndpoint>>;
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  readonly #traffic = new TrafficCount();
  readonly traffic = this.#traffic.now;
  readonly #ours = new Set<AnyWhipResource>();
  readonly #ended = new EndedStreams();
  readonly #streamOf = streamNames();
  /** Present where it was said which process it is. */
  readonly resources?: () => Promise<ServerReading>;
  #sessions = 0;
  #endpoints: Readonly<Record<WhipProtocol, KnownEndpoint>> | undefined;
  #stopped: Promise<void> | undefined;
  #meter: ProcessMeter | undefined;
  /** Since the last reset: of a warm-up nobody is told. */
  #isOffered = false;
  #holder: ReturnType<typeof mediaProcess> | undefined;

  constructor(private readonly options: WhipOptions) {
    this.#closed = { whip: doorOf('whip', options, this.#traffic), whep: doorOf('whep', options, this.#traffic) };
    if (options.process !== undefined)
      this.resources = async () => ({ atMs: Date.now(), ...(await this.#meter?.read()) });
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const startedAtMs = performance.now();
    const stream = this.#streamOf(0, 'x');
    const whip = await inspectEndpoint(this.#closed.whip, stream, signal);
    const whep = await inspectEndpoint(this.#closed.whep, stream, signal);
    this.#endpoints = { whip, whep };
    const software = whip.software ?? '';
    const { kind = whipWord, abilities = whipAbilities, process } = this.options;
    const pid = process === undefined ? undefined : await namedProcess(process);
    if (pid !== undefined) this.#meter = new ProcessMeter(pid);
    return {
      kind,
      nature: oursPattern.test(software) ? 'for-trying' : 'product',
      name: software.toLowerCase().startsWith(kind) ? software : `${kind} ${software}`.trim(),
      version: /\/(\S+)/.exec(software)?.[1] ?? '',
      url: whip.address,
      sameHost: await isThisHost(hostOfEndpoint(whip.address)),
      startedInMs: performance.now() - startedAtMs,
      ...(await processFacts(pid)),
      abilities: { ...abilities, tellsResources: pid !== undefined },
    };
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    signal.throwIfAborted();
    const endpoints = this.#needDoors();
    this.#sessions += 1;
    const nth = this.#sessions;
    return new WhipSession({
      session,
      endpoints,
      streamOf: (participant) => this.#streamOf(nth, participant),
      streamWithinMs: this.options.streamWithinMs,
      spokenByHosts: this.options.spokenByHosts === true,
      restartIceAfterMs: this.options.restartIceAfterMs,
      rids: this.options.abilities?.simulcastRids,
      onEvent: this.#events.tell,
      onOpened: (opened) => this.#ours.add(opened),
      onAnswer: (answer) => void this.#offerProcess(answer),
      onEnded: (opened, ending) => this.#hasEnded(opened, ending),
    });
  }

  /** Once a trial: who holds the media port on this host, where nobody said which process to watch. Never rejects. */
  async #offerProcess(answer: string): Promise<void> {
    if (this.#isOffered || this.#meter) return;
    this.#isOffered = true;
    this.#holder ??= mediaProcess(answer).catch(() => undefined);
    const found = await this.#holder;
    if (!found) return;
    const detail = `process ${found.pid} (${found.name}) holds its media port ${found.port}: --server-pid ${found.pid} watches its CPU and memory`;
    this.#events.tell({ kind: 'other', atMs: Date.now(), name: 'process-found', detail });
  }

  /** Ends what sessions could not. Neither standard has a way for a server to say that nothing is left. */
  async reset(signal: AbortSignal): Promise<ResetProof> {
    const startedAtMs = performance.now();
    const { whep } = this.#needDoors();
    signal.throwIfAborted();
    this.#isOffered = false;
    const left = [...this.#ours];
    const results = await Promise.allSettled(left.map((opened) => this.#end(opened)));
    const failure = results.find((one) => one.status === 'rejected');
    if (failure?.status === 'rejected') throw notClean(this.#ours.size, failure.reason);
    const byClosing = await this.#ended.look(
      (stream) => answerOf(whep, stream, signal),
      this.#streamOf(0, 'never'),
      signal,
    );
    const released = left.length > 0 ? left.length : undefined;
    return { how: 'not-provable', tookMs: performance.now() - startedAtMs, ...given({ released, byClosing }) };
  }

  async #end(opened: AnyWhipResource): Promise<void> {
    this.#hasEnded(opened, await opened.end());
  }

  #hasEnded(opened: AnyWhipResource, ending: Ending): void {
    this.#ours.delete(opened);
    const why = this.#ended.note(ending, opened.stream);
    if (why !== undefined) {
      const detail = `${why}: what it does not end is ended by closing its connection`;
      this.#events.tell({ kind: 'other', atMs: Date.now(), name: 'ended-by-closing', detail });
    }
  }

  #needDoors(): Readonly<Record<WhipProtocol, KnownEndpoint>> {
    if (this.#endpoints !== undefined && this.#stopped === undefined) return this.#endpoints;
    throw new LoadlineError('E_SERVER_LOST', 'There is no media server to ask: it is not started.', {
      where: this.#closed.whip.address,
    });
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await atMost(farewellMs, Promise.allSettled([...this.#ours].map((opened) => this.#end(opened))));
  }
}

function doorOf(way: WhipProtocol, options: WhipOptions, traffic: TrafficCount): WhipEndpoint {
  const { addresses, env, requestTimeoutMs, strict, usualToken } = options;
  const address = addresses[way];
  const shown = shownHeaders(way, env, usualToken);
  if (![address, ...Object.values(shown)].some((text) => text.includes(streamPlace))) {
    throw new LoadlineError('E_USAGE', `Nothing at the address of --${way} tells one stream from another.`, {
      where: `--${way}`,
      why: `neither the address nor ${tokenNames[way]} holds ${streamPlace}`,
      todo: `put ${streamPlace} where the name of a stream goes: in the address, or in ${tokenNames[way]} for servers that know a stream by its token`,
    });
  }
  return given({ way, address, shown, timeoutMs: requestTimeoutMs, traffic, strict });
}

/** What it says of a stream to who asks for it without an offer. */
async function answerOf(whep: KnownEndpoint, stream: string, signal: AbortSignal): Promise<StreamAnswer> {
  const status = await askWithoutOffer(whep, stream, signal).then(
    (answer) => answer.status,
    () => undefined,
  );
  signal.throwIfAborted();
  if (status === 404 || status === 409 || status === 410) return 'not-there';
  return status === undefined || status === 429 || status >= 500 ? 'unsaid' : 'there';
}

function notClean(left: number, reason: unknown): LoadlineError {
  // Nobody can say what a server holds that is not there.
  if (reason instanceof LoadlineError && reason.code === 'E_SERVER_UNREACHABLE') {
    const { where, why } = reason;
    const what = 'The media server went away: it cannot be reached any more.';
    return new LoadlineError('E_SERVER_LOST', what, { where, why, cause: reason });
  }
  const where = reason instanceof LoadlineError ? reason.where : undefined;
  return new LoadlineError('E_NOT_CLEAN', `The media server still holds ${left} of our sessions.`, {
    where,
    why: saidBy(reason),
    todo: 'end them on the server, or start it anew',
  });
}

/** The process of this host that holds a media port of an answer; undefined where none is seen. */
async function mediaProcess(answer: string) {
  const lines = answer.split(/\r?\n/).filter((line) => line.startsWith('a=candidate:'));
  const hosts = lines.flatMap((line) => readCandidateLine(line) ?? []);
  for (const { transport, type, address, port } of hosts) {
    if (transport !== 'udp' || type !== 'host' || !(await isThisHost(address))) continue;
    const found = await findReceiver(port);
    if (found) return { ...found, port };
  }
  return undefined;
}
