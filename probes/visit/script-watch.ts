import { AsyncLocalStorage } from 'node:async_hooks';
import { url as debuggerUrl } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { stuckHandler, type WatchedProcess, type WatchOrder } from './script-watch-wire.js';

/** A join script that has not given way for as long as it may take. */
export interface StuckScript {
  readonly path: string;
  readonly boundMs: number;
  /** "join.mjs:12"; absent: it waits in what is no JavaScript (execSync), or for what it was given. */
  readonly line?: string;
  /** Absent: the script is being loaded, or nobody can tell. */
  readonly participant?: string;
}

/** How this process ends when a script is stuck: nothing else can run in it any more. */
export interface StuckEnding {
  /** Called in the middle of the script, at a standstill; ends the process. */
  end(stuck: StuckScript): void;
  /** What is written where no debugger can stop the script, before the process is killed. */
  lastWords(stuck: StuckScript): string;
  /** A shorter bound is not used: a script may compute for a while. Absent: 5 s. */
  readonly leastMs?: number;
  /** How long a debugger has to stop the script. Absent: 10 s. */
  readonly stopMs?: number;
  /** Absent: beside the bundle that runs. */
  readonly watchdogPath?: string;
}

interface WatchedScript {
  readonly path: string;
  readonly ending: StuckEnding;
  /** Line of the script, for a place in what was made of it. */
  readonly lineOf: (place: string) => string | undefined;
}

/** For loading a script, which nobody has given a time. */
const loadMs = 10_000;
const leastMs = 5_000;
const stopMs = 10_000;
const beatMs = 200;

/**
 * Watches from a thread of its own that join scripts, which run among everything else of this process, give way. One
 * for the process, because there is one event loop.
 */
export class ScriptWatch {
  private static only: ScriptWatch | undefined;
  private readonly pulse = new Int32Array(new SharedArrayBuffer(4));
  private readonly participants = new AsyncLocalStorage<string>();
  private readonly watchdog: Worker;
  private script: WatchedScript;
  private boundMs = loadMs;

  /** Undefined where a debugger is attached: whoever stands at a breakpoint is not stuck. */
  static of(script: WatchedScript): ScriptWatch | undefined {
    if (debuggerUrl() !== undefined) return undefined;
    ScriptWatch.only ??= new ScriptWatch(script);
    ScriptWatch.only.script = script;
    ScriptWatch.only.bound(loadMs);
    return ScriptWatch.only;
  }

  private constructor(script: WatchedScript) {
    this.script = script;
    const path = script.ending.watchdogPath ?? fileURLToPath(new URL('script-watchdog.js', import.meta.url));
    const { buffer: pulse } = this.pulse;
    this.watchdog = new Worker(path, { workerData: { pulse } satisfies WatchedProcess });
    this.watchdog.unref();
    setInterval(() => Atomics.add(this.pulse, 0, 1), beatMs).unref();
    const onStuck = (place: string): void => this.end(place);
    Object.defineProperty(globalThis, stuckHandler, { value: onStuck });
  }

  /** Runs a part of the script; what it leaves to be called later is watched, too. */
  run<T>(participant: string, boundMs: number, act: () => T): T {
    const { ending } = this.script;
    const mostMs = Math.max(boundMs, ending.leastMs ?? leastMs);
    if (mostMs !== this.boundMs) this.bound(mostMs);
    return this.participants.run(participant, act);
  }

  private bound(boundMs: number): void {
    this.boundMs = boundMs;
    const { path, ending } = this.script;
    const lastWords = ending.lastWords({ path, boundMs });
    this.watchdog.postMessage({ boundMs, stopMs: ending.stopMs ?? stopMs, lastWords } satisfies WatchOrder);
  }

  private end(place: string): void {
    const { path, ending, lineOf } = this.script;
    const { boundMs } = this;
    const [line, participant] = [lineOf(place), this.participants.getStore()];
    const where = { ...(line === undefined ? {} : { line }), ...(participant === undefined ? {} : { participant }) };
    ending.end({ path, boundMs, ...where });
  }
}
