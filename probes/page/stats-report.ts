/** One object of a webrtc-stats report, without the browser's types, so that recorded reports can be fed to tests. */
export interface StatsEntry {
  readonly id: string;
  readonly type: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly [field: string]: unknown;
}

export type StatsReport = ReadonlyMap<string, StatsEntry>;

/** A number of the report; `undefined` when the field is missing, which is never zero. */
export function numberAt(entry: StatsEntry | undefined, field: string): number | undefined {
  const value = entry?.[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** How much more a counter is than it was. */
export function difference(before: StatsEntry, now: StatsEntry, field: string): number | undefined {
  const from = numberAt(before, field);
  const to = numberAt(now, field);
  return from === undefined || to === undefined ? undefined : to - from;
}

export function textAt(entry: StatsEntry | undefined, field: string): string | undefined {
  const value = entry?.[field];
  return typeof value === 'string' ? value : undefined;
}

export function entriesOf(report: StatsReport, type: string): readonly StatsEntry[] {
  const found: StatsEntry[] = [];
  for (const entry of report.values()) if (entry.type === type) found.push(entry);
  return found;
}

/** The entry that a field of another refers to, as `outbound-rtp.remoteId` does. */
export function entryAt(report: StatsReport, entry: StatsEntry | undefined, reference: string): StatsEntry | undefined {
  const id = textAt(entry, reference);
  return id === undefined ? undefined : report.get(id);
}

/**
 * The time of the reading: that of its RTP streams (`inbound-rtp.timestamp`, `outbound-rtp.timestamp`), else of the
 * connection. `remote-inbound-rtp` has times of its own, when the receiver report came, and takes no part.
 */
export function readingTimeMs(report: StatsReport): number | undefined {
  const times = (type: string): readonly number[] => entriesOf(report, type).map((entry) => entry.timestamp);
  const streams = [...times('inbound-rtp'), ...times('outbound-rtp')];
  const all = streams.length > 0 ? streams : times('peer-connection');
  return all.length > 0 ? Math.max(...all) : undefined;
}
