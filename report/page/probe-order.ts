import type { ProbeRow } from '../wire/trial-data.js';

export type Order = 'session' | 'rate' | 'loss' | 'place';

export const orders: readonly { readonly value: Order; readonly text: string }[] = [
  { value: 'session', text: 'by session, worst first' },
  { value: 'rate', text: 'by bitrate' },
  { value: 'loss', text: 'by loss' },
  { value: 'place', text: 'by browser and page' },
];

/** A probe with its place in the scenario's order, which is that of the curves. */
export interface Placed {
  readonly probe: ProbeRow;
  readonly index: number;
  /** Probes of the same session or page stand together: what parts them from their neighbours. */
  readonly group: string;
}

export function ordered(probes: readonly ProbeRow[], order: Order): Placed[] {
  const placed = probes.map((probe, index) => ({ probe, index, group: groupOf(probe, order) }));
  if (order === 'rate') return placed.sort((a, b) => rateShare(a.probe) - rateShare(b.probe));
  if (order === 'loss') return placed.sort((a, b) => (b.probe.lossPercent ?? -1) - (a.probe.lossPercent ?? -1));
  if (order === 'place') return placed.sort((a, b) => a.probe.browser - b.probe.browser || a.probe.page - b.probe.page);
  const worst = new Map<string, number>();
  for (const { probe } of placed) {
    worst.set(probe.session, Math.min(worst.get(probe.session) ?? Number.POSITIVE_INFINITY, badness(probe)));
  }
  return placed.sort((a, b) => (worst.get(a.group) ?? 0) - (worst.get(b.group) ?? 0) || a.index - b.index);
}

function groupOf({ session, browser, page }: ProbeRow, order: Order): string {
  if (order === 'session') return session;
  return order === 'place' ? `${browser}/${page}` : '';
}

/** What it received of what its role received in the baseline; without a baseline the rate itself. Not measured comes first. */
export function rateShare({ receivedKbps, baselineReceivedKbps, sentKbps, baselineSentKbps }: ProbeRow): number {
  if (receivedKbps !== undefined) return receivedKbps / (baselineReceivedKbps ?? 1);
  return sentKbps === undefined ? -1 : sentKbps / (baselineSentKbps ?? 1);
}

/** Failing probes first, then by share. */
function badness(probe: ProbeRow): number {
  return rateShare(probe) - (probe.reasons.length > 0 ? 1e9 : 0);
}
