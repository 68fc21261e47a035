import { readText } from '../../host/read-text.js';
import type { ProbeHostReading } from '../../model/evidence.js';

/** What went over the interface of the default route so far, bytes, and what it says it carries. */
export interface LinkCounts {
  readonly name: string;
  readonly speedKbps: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/**
 * Of the host's way to others. `undefined` where there is none, or where the interface does not say how much it
 * carries, as most virtual ones do not: then nothing is known of it, and a full one is not found.
 */
export async function readLink(): Promise<LinkCounts | undefined> {
  const name = parseDefaultInterface(await readText('/proc/net/route'));
  if (name === undefined) return undefined;
  const [speed, counters] = await Promise.all([readText(`/sys/class/net/${name}/speed`), readText('/proc/net/dev')]);
  const speedKbps = 1000 * Number(speed.trim() || Number.NaN);
  const bytes = parseBytes(counters, name);
  return bytes && speedKbps > 0 ? { name, speedKbps, ...bytes } : undefined;
}

/** The interface of the route to 0.0.0.0 with the lowest metric (kernel: net/ipv4/fib_trie.c, `fib_route_seq_show`). */
export function parseDefaultInterface(routes: string): string | undefined {
  const defaults = routes
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
    .map(([name = '', , , , , , metric]) => ({ name, metric: Number(metric) }));
  return defaults.sort((a, b) => a.metric - b.metric)[0]?.name;
}

/** Columns 1 and 9 of its line in /proc/net/dev (proc_pid_net(5)). */
export function parseBytes(text: string, name: string): Pick<LinkCounts, 'receivedBytes' | 'sentBytes'> | undefined {
  const line = text.split('\n').find((one) => one.trim().startsWith(`${name}:`));
  const counts = line
    ?.slice(line.indexOf(':') + 1)
    .trim()
    .split(/\s+/)
    .map(Number);
  const [receivedBytes, sentBytes] = [counts?.[0], counts?.[8]];
  if (receivedBytes === undefined || sentBytes === undefined) return undefined;
  return Number.isFinite(receivedBytes + sentBytes) ? { receivedBytes, sentBytes } : undefined;
}

/** The fuller direction. Nothing of a link that is another one now, or was counted anew. */
export function linkLoadBetween(
  before: LinkCounts | undefined,
  now: LinkCounts | undefined,
  widthMs: number,
): Pick<ProbeHostReading, 'linkKbps' | 'linkSpeedKbps'> {
  if (!before || !now || before.name !== now.name || widthMs <= 0) return {};
  const grown = [now.receivedBytes - before.receivedBytes, now.sentBytes - before.sentBytes];
  if (grown.some((bytes) => bytes < 0)) return {};
  return { linkKbps: (8 * Math.max(...grown)) / widthMs, linkSpeedKbps: now.speedKbps };
}
