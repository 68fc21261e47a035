import type { DataPoint } from '../points/data-point.js';

interface Count {
  total: number;
  atMs: number;
}

/**
 * Makes of each event the number of events of its type so far, in its trial: series hold numbers, and no words. Two in
 * one millisecond would be two values of one moment; the later one is told a millisecond later.
 */
export class EventCounts {
  private readonly counts = new Map<string, Count>();

  next({ tags, atMs }: DataPoint): DataPoint {
    const key = JSON.stringify([tags.trial, tags.type]);
    const before = this.counts.get(key);
    const now = { total: (before?.total ?? 0) + 1, atMs: Math.max(atMs, (before?.atMs ?? 0) + 1) };
    this.counts.set(key, now);
    return { measurement: 'loadline_events', tags, fields: { total: now.total }, atMs: now.atMs };
  }
}
