import type { FrameReading } from '../page/visit/wire.js';
import type { PlacedConnection } from './stream-slots.js';

/** Frames of a page read at the same moment; one that is later than this is not waited for. */
const waitMs = 400;
/** A frame that has told nothing for so long is gone. */
const goneMs = 2_500;

/** What all frames of a page saw at one moment. */
export interface PageReading {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly lateMs: number;
  /** From when it is measured; absent: nothing of it is. */
  readonly sinceMs?: number;
  readonly connections: readonly PlacedConnection[];
}

/** Puts together what the frames of a page tell. */
export class PageReadings {
  private readonly onWhole: (reading: PageReading) => void;
  private readonly latest = new Map<string, FrameReading>();
  private readonly due = new Map<
    number,
    { readonly readings: FrameReading[]; timer?: ReturnType<typeof setTimeout> }
  >();
  private isClosed = false;
  private toldMs = 0;
  /** Frames that were in time for the second that was told last; undefined before any. */
  private inTime: ReadonlySet<string> | undefined;

  constructor(onWhole: (reading: PageReading) => void) {
    this.onWhole = onWhole;
  }

  /** All connections of the page as they were last seen. */
  take(reading: FrameReading): readonly PlacedConnection[] {
    // A document that took the place of another is told apart by its name; the page has one top document.
    for (const [frame, { atMs, isTop }] of this.latest)
      if (atMs < reading.atMs - goneMs || (isTop && reading.isTop)) this.latest.delete(frame);
    this.latest.set(reading.frame, reading);
    if (reading.isWhole) this.collect(reading);
    return [...this.latest.values()].flatMap(placed);
  }

  close(): void {
    this.isClosed = true;
    for (const { timer } of this.due.values()) clearTimeout(timer);
    this.due.clear();
  }

  private collect(reading: FrameReading): void {
    const { dueMs } = reading;
    // Too late for its second, which was told without it.
    if (this.isClosed || dueMs <= this.toldMs) return;
    const found = this.due.get(dueMs) ?? { readings: [] };
    this.due.set(dueMs, found);
    found.readings.push(reading);
    const isAll = [...this.latest.keys()].every((frame) => found.readings.some((one) => one.frame === frame));
    if (isAll) this.tell(dueMs);
    else found.timer ??= setTimeout(() => this.tell(dueMs), waitMs);
  }

  private tell(dueMs: number): void {
    const found = this.due.get(dueMs);
    if (!found) return;
    clearTimeout(found.timer);
    this.due.delete(dueMs);
    this.toldMs = dueMs;
    const { readings } = found;
    // A frame without a connection, as around an app, says nothing of how long the others were read.
    const carrying = readings.some(({ connections }) => connections.length > 0)
      ? readings.filter(({ connections }) => connections.length > 0)
      : readings;
    const whole = this.ofWholeSecond(carrying);
    this.inTime = new Set(readings.map(({ frame }) => frame));
    const since = whole.flatMap(({ sinceMs }) => sinceMs ?? []);
    this.onWhole({
      atMs: Math.max(...carrying.map(({ atMs }) => atMs)),
      lateMs: Math.max(...readings.map(({ lateMs }) => lateMs)),
      ...(since.length > 0 ? { sinceMs: Math.max(...since) } : {}),
      connections: whole.flatMap(placed),
    });
  }

  /** Without those that tell of a part of it, because they were too late for the second before. */
  private ofWholeSecond(readings: readonly FrameReading[]): readonly FrameReading[] {
    const { inTime } = this;
    const whole = readings.filter(({ frame, sinceMs }) => sinceMs === undefined || !inTime || inTime.has(frame));
    return whole.length > 0 ? whole : readings;
  }
}

const placed = ({ frame, connections }: FrameReading): readonly PlacedConnection[] =>
  connections.map((one) => ({ ...one, place: `${frame} ${one.id}` }));
