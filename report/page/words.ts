import type { ProbeRow } from '../wire/trial-data.js';
import { type Bar, rateOf } from './bars.js';

/** Three figures at most; a dash for what was not measured. */
export function figure(value: number | null | undefined, unit = ''): string {
  if (value === null || value === undefined) return '–';
  const size = Math.abs(value);
  const text = String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)));
  return unit === '' ? text : `${text} ${unit}`;
}

export function wordsOf({ probe, stream, figures }: Pick<Bar, 'probe' | 'stream' | 'figures'>): string {
  const which = stream === undefined ? '' : `${stream.name}, `;
  return placeWords(probe, `: ${which}${rateWords(figures)}`);
}

export const placeWords = ({ id, session, role, host, browser, page }: ProbeRow, what = ''): string =>
  `${id}, ${role} of session ${session}${what}; ${host === undefined ? '' : `host ${host}, `}browser ${browser}, page ${page}`;

/** "480 kbit/s received (96 % of the baseline), 0.2 % lost"; what is sent where nothing is received. */
export function rateWords(figures: Bar['figures']): string {
  const { kbps, baseline } = rateOf(figures);
  const share = kbps !== undefined && baseline ? ` (${figure((100 * kbps) / baseline)} % of the baseline)` : '';
  const way = figures.receivedKbps === undefined && kbps !== undefined ? 'sent' : 'received';
  return `${figure(kbps, 'kbit/s')} ${way}${share}, ${figure(figures.lossPercent, '%')} lost`;
}
