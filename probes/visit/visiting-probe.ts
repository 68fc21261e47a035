import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { Sample } from '../../model/sample.js';
import type { Leg, Participant } from '../../model/scenario.js';
import type { JoinTimes, ProbeFailureCode } from '../../model/trial.js';
import { type LegRoute, strayed } from '../../model/turn.js';
import type { FrameReading, NextLook } from '../page/visit/wire.js';
import { joinTimesOf, outOfTime } from './join-progress.js';
import { type PageReading, PageReadings } from './page-readings.js';
import { type PlacedConnection, StreamSlots } from './stream-slots.js';
import type { JoinOrder, PageFailure, VisitedPage } from './visited-page.js';

interface ProbeListener {
  onReached(join: JoinTimes): void;
  /** How the connections of its page reach the server, where that is another way than before. */
  onRoutes(routes: readonly LegRoute[]): void;
  onUp(): void;
  onFailed(failure: PageFailure & { readonly missing?: readonly string[] }): void;
  onSample(sample: Sample): void;
  onArtifacts(artifacts: ProbeArtifacts): void;
}

type JoiningPage = Pick<VisitedPage, 'join' | 'isUp' | 'whereabouts' | 'keep'>;

const noLeg: Leg = { id: '', sends: [], receives: [] };

/** One participant of a web app: joins once by its page, is measured by its connections, is never healed. */
export class VisitingProbe {
  private readonly participant: Participant;
  private readonly listener: ProbeListener;
  private readonly slots: StreamSlots;
  private readonly readings: PageReadings;
  private page: JoiningPage | undefined;
  private state: 'waiting' | 'joining' | 'up' | 'failed' | 'left' = 'waiting';
  /** When it began to join, milliseconds of this process's monotonic clock; 0 before. */
  startedMs = 0;
  /** The same by the wall clock as it is set now, by which the page of a new browser tells how far it has come. */
  private startedAtMs = 0;
  private hasJoined = false;
  private connections: readonly PlacedConnection[] = [];
  private join: JoinTimes = {};
  private lastMs: number | undefined;
  /** The last second of which some frame has told. */
  private dueMs = 0;
  private deadline: NodeJS.Timeout | undefined;
  private order: JoinOrder | undefined;
  private routes: readonly LegRoute[] = [];

  constructor(participant: Participant, listener: ProbeListener) {
    this.participant = participant;
    this.listener = listener;
    this.slots = new StreamSlots(participant.legs[0] ?? noLeg);
    this.readings = new PageReadings((reading) => this.sample(reading));
  }

  /** Every outcome is told to the listener; never rejects. */
  async start(page: JoiningPage, order: JoinOrder): Promise<void> {
    this.page = page;
    this.order = order;
    this.state = 'joining';
    this.startedMs = performance.now();
    this.startedAtMs = Date.now();
    this.deadline = setTimeout(() => void this.runOutOfTime(), order.deadlineMs);
    const failure = await page.join(order);
    if (failure) return this.failAt(failure);
    this.hasJoined = true;
    this.settle();
  }

  take(reading: FrameReading): NextLook {
    if (this.state === 'waiting' || this.state === 'left') return 'soon';
    this.connections = this.readings.take(reading);
    const isSecond = reading.isWhole && reading.dueMs > this.dueMs;
    if (isSecond) this.dueMs = reading.dueMs;
    this.slots.take(this.connections, isSecond);
    this.follow();
    if (this.state === 'joining') this.progress();
    return this.state === 'joining' ? 'soon' : 'each-second';
  }

  /** A page that goes another way than through the relay that it was given has failed. */
  private follow(): void {
    const routes = routesOfPage(this.participant.legs[0]?.id ?? '', this.connections);
    if (routes.length === 0 || JSON.stringify(routes) === JSON.stringify(this.routes)) return;
    this.routes = routes;
    this.listener.onRoutes(routes);
    const { relay } = this.order ?? {};
    const [detail] = relay ? routes.flatMap((route) => strayed(route, relay.protocol) ?? []) : [];
    if (detail !== undefined) this.fail('not-relayed', detail);
  }

  fail(code: ProbeFailureCode, detail: string, missing?: readonly string[]): void {
    if (this.state === 'failed' || this.state === 'left') return;
    const wasThere = this.state !== 'waiting';
    this.state = 'failed';
    clearTimeout(this.deadline);
    this.listener.onFailed({ code, detail, ...(missing ? { missing } : {}) });
    if (wasThere) void this.page?.keep(this.participant.id).then((kept) => this.listener.onArtifacts(kept));
  }

  leave(): void {
    this.state = 'left';
    clearTimeout(this.deadline);
    this.readings.close();
  }

  private progress(): void {
    const times = joinTimesOf(this.connections, this.startedAtMs);
    const now = performance.now() - this.startedMs;
    const first = this.slots.hasReceived && this.join.firstFrameMs === undefined ? { firstFrameMs: now } : {};
    const { join } = this;
    // The first connection that is up counts, and its time stays.
    this.join = { ...times, ...join, ...first };
    this.listener.onReached(this.join);
    this.settle();
  }

  private settle(): void {
    if (this.state !== 'joining' || !this.hasJoined || this.slots.missing.length > 0) return;
    if (this.order?.relay && this.routes.length === 0) return;
    this.state = 'up';
    void this.page?.isUp();
    clearTimeout(this.deadline);
    this.listener.onUp();
  }

  private async runOutOfTime(): Promise<void> {
    if (this.state !== 'joining') return;
    // The script has the same time, and says better what it waits for.
    if (!this.hasJoined) await new Promise((resolve) => setTimeout(resolve, 200));
    if (this.state !== 'joining') return;
    const { missing } = this.slots;
    await this.failAt(outOfTime(this.connections, this.join, this.order?.deadlineMs ?? 0, missing), missing);
  }

  private async failAt({ code, detail }: PageFailure, missing?: readonly string[]): Promise<void> {
    const where = await this.page?.whereabouts(this.order?.address ?? '').catch(() => '');
    this.fail(code, `${detail}${where ?? ''}`, code === 'no-media' ? missing : undefined);
  }

  private sample({ atMs, lateMs, sinceMs, connections }: PageReading): void {
    if (!this.hasJoined || this.state === 'left' || this.state === 'waiting') return;
    const last = this.lastMs;
    if (last !== undefined && atMs <= last) return;
    this.lastMs = atMs;
    // The first one says what there is, and nothing of a second.
    if (last === undefined) return;
    this.listener.onSample({
      probe: this.participant.id,
      atMs,
      // A page that was opened anew measures nothing in its first second, in which its streams are missed.
      intervalMs: atMs - (sinceMs ?? last),
      lateMs,
      legs: [this.slots.legSample(connections)],
      streams: this.slots.streams(connections),
    });
  }
}

/** How each connection of a page reaches its server, as those of one leg: ones that are not relayed come first. */
function routesOfPage(leg: string, connections: readonly PlacedConnection[]): readonly LegRoute[] {
  const routes = connections.flatMap(({ route }) => (route ? { ...route, leg } : []));
  const isRelayed = ({ candidateType }: LegRoute) => candidateType === 'relay';
  return [...routes.filter((one) => !isRelayed(one)), ...routes.filter(isRelayed)];
}
