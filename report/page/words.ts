import type { ProbeRow, TrialData } from '../wire/trial-data.js';
import { type Bar, rateOf } from './bars.js';

/**
 * Three figures at most, and two of a small one, which is not 0; more where it would else read like its limit or
 * its other side. A dash for what was not measured.
 */
export function figure(value: number | null | undefined, unit = '', limit?: number): string {
  if (value === null || value === undefined) return '–';
  let decimals = decimalsOf(Math.abs(value));
  const isOff = () =>
    limit !== undefined && Math.sign(Number(value.toFixed(decimals)) - limit) !== Math.sign(value - limit);
  while (decimals < 6 && isOff()) decimals += 1;
  const text = String(Number(value.toFixed(decimals)));
  return unit === '' ? text : `${text} ${unit}`;
}

function decimalsOf(size: number): number {
  if (size >= 100) return 0;
  if (size >= 10) return 1;
  return size >= 0.1 || size === 0 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(size)));
}

type Limits = TrialData['limits'];

export function wordsOf({ probe, stream, figures }: Pick<Bar, 'probe' | 'stream' | 'figures'>, limits: Limits): string {
  const which = stream === undefined ? '' : `${stream.name}, `;
  return placeWords(probe, `: ${which}${rateWords(figures, limits)}`);
}

export const placeWords = ({ id, session, role, host, browser, page }: ProbeRow, what = ''): string =>
  `${id}, ${role} of session ${session}${what}; ${host === undefined ? '' : `host ${host}, `}browser ${browser}, page ${page}`;

/** "480 kbit/s received (96 % of the baseline), 0.2 % lost"; what is sent where nothing is received. */
export function rateWords(figures: Bar['figures'], { lossPercent }: Limits): string {
  const { kbps, baseline } = rateOf(figures);
  const share = kbps !== undefined && baseline ? ` (${figure((100 * kbps) / baseline)} % of the baseline)` : '';
  const way = figures.receivedKbps === undefined && kbps !== undefined ? 'sent' : 'received';
  return `${figure(kbps, 'kbit/s')} ${way}${share}, ${figure(figures.lossPercent, '%', lossPercent)} lost`;
}
