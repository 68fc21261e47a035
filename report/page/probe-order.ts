import type { ProbeRow } from '../wire/trial-data.js';
import { type Bar, rateOf } from './bars.js';

export type Order = 'session' | 'rate' | 'loss' | 'place';

export const orders: readonly { readonly value: Order; readonly text: string }[] = [
  { value: 'session', text: 'by session, worst first' },
  { value: 'rate', text: 'by bitrate' },
  { value: 'loss', text: 'by loss' },
  { value: 'place', text: 'by browser and page' },
];

/** A bar among the others. */
export interface Placed extends Bar {
  /** Probes of the same session or page stand together: what parts them from their neighbours. */
  readonly group: string;
}

export function ordered(bars: readonly Bar[], order: Order): Placed[] {
  const placed = bars.map((bar) => ({ ...bar, group: groupOf(bar.probe, order) }));
  if (order === 'rate') return placed.sort((a, b) => rateShare(a.figures) - rateShare(b.figures));
  if (order === 'loss') return placed.sort((a, b) => (b.figures.lossPercent ?? -1) - (a.figures.lossPercent ?? -1));
  if (order === 'place') return placed.sort((a, b) => byPlace(a.probe, b.probe));
  const worst = new Map<string, number>();
  for (const bar of placed) {
    const { session } = bar.probe;
    worst.set(session, Math.min(worst.get(session) ?? Number.POSITIVE_INFINITY, badness(bar)));
  }
  return placed.sort((a, b) => (worst.get(a.group) ?? 0) - (worst.get(b.group) ?? 0) || a.index - b.index);
}

/** Pages are numbered on each host. */
export const shareAPage = (one: ProbeRow, other: ProbeRow): boolean =>
  one.page === other.page && (one.host ?? '') === (other.host ?? '');

/** Browsers and pages are numbered on each host. */
function byPlace(a: ProbeRow, b: ProbeRow): number {
  return (a.host ?? '').localeCompare(b.host ?? '') || a.browser - b.browser || a.page - b.page;
}

function groupOf({ session, host = '', browser, page }: ProbeRow, order: Order): string {
  if (order === 'session') return session;
  return order === 'place' ? `${host}/${browser}/${page}` : '';
}

/** Its rate as a share of its role's baseline; without a baseline the rate itself. Not measured comes first. */
function rateShare(figures: Bar['figures']): number {
  const { kbps, baseline = 1 } = rateOf(figures);
  return kbps === undefined ? -1 : kbps / baseline;
}

/** What fails comes first, then by share. */
function badness({ figures, failing }: Bar): number {
  return rateShare(figures) - (failing ? 1e9 : 0);
}
