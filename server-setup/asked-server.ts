import type { SignallingTraffic } from '../model/signalling-traffic.js';
import { ServerEvents } from './server-events.js';
import { notStarted } from './session-owner.js';
import { TrafficCount } from './sockets/traffic-count.js';

/** A server that is asked over the network: who listens to it, what is sent to it, and that it is stopped once. */
export abstract class AskedServer<Running> {
  protected readonly events = new ServerEvents();
  readonly onEvent = this.events.listen;
  protected readonly counted = new TrafficCount();
  readonly traffic: () => SignallingTraffic | undefined = this.counted.now;
  /** What is known between `start` and `stop`. */
  protected running: Running | undefined;
  #stopped: Promise<void> | undefined;

  /** @param shown its address */
  constructor(private readonly shown: string) {}

  protected needRunning(what: string): Running {
    if (this.running !== undefined && !this.isStopped) return this.running;
    throw notStarted(what, this.shown);
  }

  protected get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.running === undefined ? Promise.resolve() : this.leave(this.running);
    return this.#stopped;
  }

  /** Best effort, in bounded time. */
  protected abstract leave(running: Running): Promise<void>;
}
