import type { Environment } from '../../model/environment.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { readCandidateLine } from '../../model/ice-candidate.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import type { StreamAnswer } from '../ended-streams.js';
import { isThisHost } from '../evidence/host-address.js';
import { findReceiver } from '../evidence/process-resources.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import { type Found, type StreamsOptions, StreamsServer } from '../streams-server.js';
import type { StreamsSessionOptions } from '../streams-session.js';
import { whipAbilities } from './abilities.js';
import { shownHeaders, tokenNames, type WhipProtocol } from './credentials.js';
import { askWithoutOffer, inspectEndpoint, type WhipEndpoint } from './endpoint.js';
import { hostOfEndpoint, streamPlace } from './endpoint-url.js';
import { whipWord } from './whip-flags.js';
import { type AnyWhipResource, type Endpoints, WhipSession } from './whip-session.js';

export interface WhipOptions extends StreamsOptions {
  /** Where streams are published, and where they are viewed; absent: nowhere. */
  readonly addresses: Readonly<Record<WhipProtocol, string>>;
  /** Tokens and headers come from here. */
  readonly env: Environment;
  /** The hosts of the probes speak to the endpoints themselves. */
  readonly spokenByHosts?: boolean;
  /** The name of its kind; absent: any server of both standards. */
  readonly kind?: string;
  /** Absent: what is known of any. */
  readonly abilities?: ServerAbilities;
  /** The bearer token where the environment has none; may hold `{stream}`. */
  readonly usualToken?: string;
  /** What the standard forbids is an error. Absent: a server is taken as it is. */
  readonly strict?: boolean;
  /** So long after its answer each probe restarts ICE; absent: none does. */
  readonly restartIceAfterMs?: number;
}

/** What ours says of itself in its `Server` header. */
const oursPattern = /^loadline-embedded\//;

/** Any server that speaks WHIP and WHEP. Throws E_USAGE, E_SERVER_URL. */
export class WhipServer extends StreamsServer<WhipOptions, Endpoints, AnyWhipResource> {
  readonly #closed: Readonly<Record<WhipProtocol, WhipEndpoint>>;
  /** Where the hosts of the probes say most of it, what is counted here would be too little. */
  override readonly traffic = () => (this.options.spokenByHosts === true ? undefined : this.counted.now());
  protected readonly endedByClosing = 'what it does not end is ended by closing its connection';
  /** Since the last reset: of a warm-up nobody is told. */
  #isOffered = false;
  #holder: ReturnType<typeof mediaProcess> | undefined;

  constructor(options: WhipOptions) {
    super(options, options.addresses.whip);
    this.#closed = { whip: doorOf('whip', options, this.counted), whep: doorOf('whep', options, this.counted) };
  }

  protected async find(signal: AbortSignal): Promise<Found<Endpoints>> {
    const stream = this.streamOf(0, 'x');
    const whip = await inspectEndpoint(this.#closed.whip, stream, signal);
    const whep = await inspectEndpoint(this.#closed.whep, stream, signal);
    const software = whip.software ?? '';
    const { kind = whipWord, abilities = whipAbilities } = this.options;
    return {
      running: { whip, whep },
      host: hostOfEndpoint(whip.address),
      says: {
        kind,
        nature: oursPattern.test(software) ? 'for-trying' : 'product',
        name: software.toLowerCase().startsWith(kind) ? software : `${kind} ${software}`.trim(),
        version: /\/(\S+)/.exec(software)?.[1] ?? '',
        url: whip.address,
      },
      abilities,
    };
  }

  protected sessionOf(endpoints: Endpoints, options: StreamsSessionOptions<AnyWhipResource>): WhipSession {
    return new WhipSession({
      ...options,
      endpoints,
      spokenByHosts: this.options.spokenByHosts === true,
      restartIceAfterMs: this.options.restartIceAfterMs,
      rids: this.options.abilities?.simulcastRids,
      onAnswer: (answer) => void this.#offerProcess(answer),
    });
  }

  /** Once a trial: who holds the media port on this host, where nobody said which process to watch. Never rejects. */
  async #offerProcess(answer: string): Promise<void> {
    if (this.#isOffered || this.meter) return;
    this.#isOffered = true;
    this.#holder ??= mediaProcess(answer).catch(() => undefined);
    const found = await this.#holder;
    if (!found) return;
    const detail = `process ${found.pid} (${found.name}) holds its media port ${found.port}: --server-pid ${found.pid} watches its CPU and memory`;
    this.events.tell({ kind: 'other', atMs: Date.now(), name: 'process-found', detail });
  }

  /** Neither standard has a way for a server to say that nothing is left. */
  protected async prove(): Promise<void> {
    this.#isOffered = false;
  }

  /** What it says of a stream to who asks for it without an offer. */
  protected async answerOf({ whep }: Endpoints, stream: string, signal: AbortSignal): Promise<StreamAnswer> {
    const status = await askWithoutOffer(whep, stream, signal).then(
      (answer) => answer.status,
      () => undefined,
    );
    signal.throwIfAborted();
    if (status === 404 || status === 409 || status === 410) return 'not-there';
    return status === undefined || status === 429 || status >= 500 ? 'unsaid' : 'there';
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
