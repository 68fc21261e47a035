import { availableParallelism } from 'node:os';
import { atMost } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { probeKinds } from '../../model/probe-kinds.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import type { ProbePlace } from '../ledger/place.js';
import { localFleets } from '../local-fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import type { Player, PlayerOrder } from '../player.js';
import { type Seats, seatsOf } from '../seats.js';
import { WorkerSet, workerStart } from './worker-set.js';

const leaveBoundMs = 5_000;

/** Probes without a browser, in processes of their own on this machine: one for each core that is needed. */
async function openNativePlayer(order: PlayerOrder): Promise<Player> {
  const start = await workerStart(order.options, order.participants);
  order.joining.signal.throwIfAborted();
  const pagesMost = Math.max(1, availableParallelism());
  const seats = seatsOf(order, { probesPerPage: probeKinds.native.perProcess, pagesPerBrowser: 1, pagesMost });
  const workerOf = new Map<string, number>();
  const workers = new WorkerSet({
    ...{ player: order, start },
    networks: seats.browsers.map(({ network }) => network),
    workerOf: (probe) => workerOf.get(probe),
    onLost: (worker, why) => player.lost(worker, why),
  });
  const player = new NativePlayer(workers, seats, workerOf, order);
  return player;
}

export const startNativeFleet = localFleets(openNativePlayer);

class NativePlayer implements Player {
  readonly silence = 'its process does not answer';

  constructor(
    private readonly workers: WorkerSet,
    private readonly seats: Seats,
    /** Of those who are there now. */
    private readonly workerOf: Map<string, number>,
    private readonly order: PlayerOrder,
  ) {}

  launch(): Promise<string | undefined> {
    return this.workers.lacking();
  }

  roots(): ReadonlySet<number> {
    return this.workers.roots();
  }

  seat(participant: Participant): ProbePlace {
    const { page: worker } = this.seats.take(participant);
    this.workerOf.set(participant.id, worker);
    return { browser: worker, page: worker, native: true };
  }

  start(order: ProbeOrder): void {
    this.workers.at(this.workerOf.get(order.participant.id))?.start(order);
  }

  fail(probe: string, code: ProbeFailureCode, why: string): void {
    this.workers.calls.fail(probe, code, why);
  }

  async hangUp(probes: readonly string[]): Promise<void> {
    for (const id of probes) {
      const worker = this.workerOf.get(id) ?? 0;
      this.workers.at(worker)?.hangUp(id);
      this.workers.calls.forget(id);
      this.workerOf.delete(id);
      this.seats.give(worker);
    }
  }

  read(): Partial<ProbeHostReading> {
    return this.workers.take();
  }

  async leave(): Promise<void> {
    this.workers.calls.leave();
    await atMost(leaveBoundMs, this.workers.leave());
  }

  close(): Promise<void> {
    return this.workers.close();
  }

  /** Those whom it played before are gone, and lose nothing with it. */
  lost(lost: number, why: string): void {
    const { haveLeft, host } = this.order;
    if (haveLeft()) return;
    const probes = [...this.workerOf].flatMap(([id, worker]) => (worker === lost ? id : []));
    const atMs = Date.now();
    const text = `A process of native probes ended (${why}), and with it ${probes.join(', ')}.`;
    host.event({ type: 'warning', atMs, text });
    for (const probe of probes)
      this.workers.calls.fail(probe, 'page-crashed', 'the process that played this probe ended', { atMs });
  }
}
