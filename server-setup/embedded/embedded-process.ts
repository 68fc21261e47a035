import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { env } from 'node:process';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { atMost, unlessAborted, within } from '../../host/bounded-wait.js';
import { endOf, howItEnded, lineOf, saidBy, signalGroup } from '../../host/child-processes.js';
import { recordingFolders } from '../../host/recording-folders.js';
import { LoadlineError } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { proveCpuLimit, removeDeadCages } from '../cpu-limit/cpu-cage.js';
import { KurentoServer } from '../kurento/kurento-server.js';
import type { MediaServer, Recordings, ServerSession } from '../media-server.js';
import { recordingsOf } from '../recordings/server-recordings.js';
import { ServerEvents } from '../server-events.js';
import { type EmbeddedProcessOptions, serveArguments, serveTokenName } from './embedded-arguments.js';

/** V8's young generation at full size from the start, collected when asked: its steps would look like a leak. */
export const steadyHeapFlags = ['--min-semi-space-size=16', '--max-semi-space-size=16', '--expose-gc'] as const;

const listeningPattern = /^listening (ws:\/\/\S+)$/;
const stderrCharactersMax = 4000;
const stopGraceMs = 2000;
/** The connection breaks a moment before the exit of the process is known. */
const exitNewsMs = 500;

const resourcesSchema = z.object({ egressBytes: z.number(), egressDroppedPackets: z.number() });
type Counters = z.infer<typeof resourcesSchema>;

interface Child {
  readonly process: ChildProcess;
  readonly stdout: Readable;
  readonly exited: Promise<string>;
  readonly stderr: () => string;
}

/** The embedded media server in a process of its own, which ends with us, however we end. */
export class EmbeddedProcess implements MediaServer {
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  readonly recordings?: Recordings;
  #child: Child | undefined;
  #server: MediaServer | undefined;
  #url: URL | undefined;
  #last: Counters | undefined;
  /** Without it, whoever reaches the port would use the server of a run, which may be root's. */
  readonly #token = randomUUID();
  #stopped: Promise<void> | undefined;

  constructor(private readonly options: EmbeddedProcessOptions) {
    if (options.record === true) this.recordings = recordingsOf(() => this.#server);
  }

  /** Rejects with E_CPU_LIMIT, or E_SERVER_UNREACHABLE and the process's stderr when it does not come up. */
  async start(signal: AbortSignal): Promise<ServerFacts> {
    signal.throwIfAborted();
    const { egressLimitBps, cpuLimitCores } = this.options;
    // Checked here, too: the child could say it only in the last words of a server that did not start.
    if (cpuLimitCores !== undefined) await proveCpuLimit(cpuLimitCores);
    const child = spawnServer(this.options, this.#token);
    this.#child = child;
    try {
      const url = await listening(child, this.options.startWithinMs ?? 10_000, signal);
      this.#url = new URL(url);
      const pid = child.process.pid;
      const server = new KurentoServer(given({ url, token: this.#token, record: this.options.record === true, pid }));
      this.#server = server;
      server.onEvent((event) => void this.#pass(event, child));
      const facts = await server.start(signal);
      void child.exited.then((how) => this.#exited(how));
      return { ...facts, ...given({ egressLimitBps, cpuLimitCores }) };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** A lost connection to a process that is ending is told once, with how it ended. */
  async #pass(event: ServerEvent, child: Child): Promise<void> {
    if (event.kind === 'lost' && (await atMost(exitNewsMs, child.exited)).inTime) return;
    this.#events.tell(event);
  }

  #exited(how: string): void {
    if (this.#stopped !== undefined) return;
    const said = (this.#child?.stderr() ?? '').trim().split('\n').at(-1) ?? '';
    const detail = `the embedded media server ${how}${said === '' ? '' : `; its last words: ${said}`}`;
    this.#events.tell({ kind: 'lost', atMs: Date.now(), detail });
    // It does not come back: open calls reject, nothing waits for a new connection.
    void this.#server?.stop();
  }

  openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    return this.#running('openSession').then((server) => server.openSession(session, signal));
  }

  reset(signal: AbortSignal): Promise<ResetProof> {
    return this.#running('reset').then((server) => server.reset(signal));
  }

  readonly kill = async (): Promise<void> => {
    signalGroup(this.#child?.process.pid);
    await this.#child?.exited;
  };

  readonly traffic = () => this.#server?.traffic?.();

  readonly resources = async (): Promise<ServerReading> => {
    const server = await this.#running('resources');
    const [reading, counters] = await Promise.all([server.resources?.(), this.#readCounters().catch(() => undefined)]);
    const last = this.#last;
    this.#last = counters ?? last;
    const deltas = last &&
      counters && {
        egressBytes: counters.egressBytes - last.egressBytes,
        egressDroppedPackets: counters.egressDroppedPackets - last.egressDroppedPackets,
      };
    return { atMs: Date.now(), ...reading, ...deltas };
  };

  async #readCounters(): Promise<Counters> {
    const url = `http://${this.#url?.host}/loadline/resources`;
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(2000),
      });
      return resourcesSchema.parse(await response.json());
    } catch (cause) {
      throw new LoadlineError('E_SERVER_LOST', 'The embedded media server did not tell its resources.', {
        where: url,
        why: String(cause),
        cause,
      });
    }
  }

  async #running(what: string): Promise<MediaServer> {
    if (this.#server !== undefined && this.#stopped === undefined) return this.#server;
    throw new LoadlineError('E_SERVER_LOST', `There is no embedded media server to ask for "${what}".`);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await this.#server?.stop();
    const child = this.#child;
    if (child === undefined) return;
    const { pid } = child.process;
    signalGroup(pid, 'SIGTERM');
    if (!(await atMost(stopGraceMs, child.exited)).inTime) signalGroup(pid);
    await child.exited;
    // What it started itself (mixers) is in its group and must not outlive it.
    signalGroup(pid);
    child.process.stdin?.destroy();
    if (this.options.cpuLimitCores !== undefined) await removeDeadCages();
    // Left where it was killed.
    await recordingFolders.removeAbandoned(tmpdir());
  }
}

function spawnServer(options: EmbeddedProcessOptions, token: string): Child {
  const [program = '', ...first] = options.command;
  const args = [...first, ...serveArguments(options)];
  // A group of its own, so that Ctrl-C reaches us alone and we end it in order. Its stdin closes when we are killed.
  // The token is in its environment, which only its user and root can read (proc(5)), and not in the list of processes.
  const child = spawn(program, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env, [serveTokenName]: token },
  });
  // Written to by nobody; an error there only means that the process is gone, which `exited` tells.
  child.stdin.on('error', () => undefined);
  const exited = endOf(child).then(howItEnded);
  return { process: child, stdout: child.stdout, exited, stderr: saidBy(child.stderr, stderrCharactersMax, 'last') };
}

function listening(child: Child, withinMs: number, signal: AbortSignal): Promise<string> {
  const fail = (why: string): LoadlineError => notUp(why, child.stderr());
  const heard = lineOf(child.stdout, (line) => listeningPattern.exec(line)?.[1]);
  const ended = child.exited.then((how) => Promise.reject(fail(`it ${how}`)));
  const late = () => fail(`it did not say that it listens in ${withinMs / 1000} s`);
  return unlessAborted(signal, within(withinMs, Promise.race([heard, ended]), late));
}

function notUp(why: string, stderr: string): LoadlineError {
  return new LoadlineError('E_SERVER_UNREACHABLE', 'The embedded media server did not start.', {
    where: 'loadline serve',
    why: stderr.trim() === '' ? why : `${why}; it wrote: ${stderr.trim()}`,
    todo: 'run "loadline serve" by hand to see what it says',
  });
}
