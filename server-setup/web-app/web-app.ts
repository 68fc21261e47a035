import { LoadlineError, messageOf } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { isThisHost } from '../evidence/host-address.js';
import { namedProcess } from '../evidence/named-process.js';
import { ProcessMeter } from '../evidence/process-resources.js';
import type { MediaServer, ServerSession } from '../media-server.js';
import { restart } from '../restart.js';
import { ServerEvents } from '../server-events.js';
import { hostOfApp } from './app-address.js';
import { webAppAbilities, webAppWord } from './app-flags.js';

interface WebAppOptions {
  readonly url: string;
  /** As of `namedProcess`; absent: nobody knows its process. */
  readonly process?: string | undefined;
  readonly restartCommand?: string | undefined;
}

const answerBoundMs = 10_000;
const restartBoundMs = 120_000;

/** The media server behind a web app, of which only its process is known, if that. */
export class WebApp implements MediaServer {
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  #meter: ProcessMeter | undefined;
  #pid: number | undefined;

  constructor(private readonly options: WebAppOptions) {}

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const startedAtMs = performance.now();
    const { url } = this.options;
    await this.#answers(signal);
    await this.#watch();
    return {
      kind: webAppWord,
      nature: 'product',
      name: `${webAppWord} ${new URL(filled(url)).host}`,
      version: '',
      url,
      sameHost: await isThisHost(hostOfApp(url)),
      startedInMs: performance.now() - startedAtMs,
      abilities: { ...webAppAbilities, tellsResources: this.#pid !== undefined },
    };
  }

  /** There is nothing to open: participants do all of it in their pages. */
  async openSession(_session: Session, signal: AbortSignal): Promise<ServerSession> {
    signal.throwIfAborted();
    return {
      join: async () => {
        throw new LoadlineError('E_INTERNAL', 'A web app was asked to negotiate.');
      },
      close: async () => undefined,
    };
  }

  /** Pages that are closed leave their sessions; that the server is clean is shown by nothing but another process. */
  async reset(signal: AbortSignal, { anew = true } = {}): Promise<ResetProof> {
    const startedAtMs = performance.now();
    signal.throwIfAborted();
    const { restartCommand: command } = this.options;
    if (command === undefined || !anew) return { how: 'not-provable', tookMs: performance.now() - startedAtMs };
    const before = this.#pid;
    await restart({ command, withinMs: restartBoundMs, connect: (ended) => this.#answers(ended) }, signal);
    await this.#watch();
    const tookMs = performance.now() - startedAtMs;
    const isAnother = before !== undefined && this.#pid !== undefined && this.#pid !== before;
    return { how: isAnother ? 'restarted' : 'not-provable', tookMs, restartMs: tookMs };
  }

  readonly resources = async (): Promise<ServerReading> => ({ atMs: Date.now(), ...(await this.#meter?.read()) });

  async stop(): Promise<void> {
    this.#meter = undefined;
  }

  /** Any answer will do: what the page shows is for the visitors to see. Rejects with E_SERVER_UNREACHABLE. */
  async #answers(signal: AbortSignal): Promise<void> {
    const url = new URL(filled(this.options.url));
    const bound = AbortSignal.any([signal, AbortSignal.timeout(answerBoundMs)]);
    try {
      const response = await fetch(url, { signal: bound, redirect: 'manual' });
      await response.body?.cancel();
    } catch (error) {
      signal.throwIfAborted();
      const code = codeOf(error);
      // What a browser says of a certificate counts, and it may know one that Node does not.
      if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return;
      throw new LoadlineError('E_SERVER_UNREACHABLE', `The web app at ${url.origin} does not answer.`, {
        where: '--url',
        why: code ?? messageOf(error),
        todo: 'open the address in a browser on this host; loadline visit tries it with one participant',
        cause: error,
      });
    }
  }

  /** Finds the process again, which may be another one after a restart. Throws E_USAGE where there is none. */
  async #watch(): Promise<void> {
    const { process } = this.options;
    if (process === undefined) return;
    this.#pid = await namedProcess(process);
    this.#meter = new ProcessMeter(this.#pid);
  }
}

const filled = (url: string): string => url.replaceAll(/\{[a-z]+\}/g, 'loadline');

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
}
