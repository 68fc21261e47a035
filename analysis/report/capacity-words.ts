import type { Capacity } from '../capacity/capacity.js';
import type { Joining } from '../capacity/joining.js';
import { durationText } from '../wording/quantity.js';
import { numberNear } from '../wording/wording.js';

export function capacityHeadline(capacity: Capacity): string {
  const { asked, peak, cost } = capacity;
  const demand = asked.demands.map((one) => one.asked).join(', and ');
  const many = peak.hosts === 1 ? 'host' : 'hosts';
  const least = peak.fewest === null || peak.fewest === peak.hosts ? '' : `${grouped(peak.fewest)} to `;
  const price = cost ? `, for ${capacityMoney(capacity, cost.total)} a month` : '';
  return `${demand}: ${least}${grouped(peak.hosts)} ${many}${price}.`;
}

/** Of two numbers the second is what is sure to do. */
export function hostsText(hosts: number, fewest: number | null): string {
  return fewest === null || fewest === hosts ? grouped(hosts) : `${grouped(fewest)} to ${grouped(hosts)}`;
}

/** "10,000". */
export function grouped(value: number): string {
  const [whole = '', decimals] = String(value).split('.');
  const groups = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return decimals === undefined ? groups : `${groups}.${decimals}`;
}

export function mbpsText(mbps: number): string {
  if (mbps >= 1e6) return `${numberNear(mbps / 1e6)} Tbit/s`;
  return mbps >= 1000 ? `${numberNear(mbps / 1000)} Gbit/s` : `${numberNear(mbps)} Mbit/s`;
}

/** Three figures of what is less than one, else two decimals: bills are read to the cent. */
export function capacityMoney({ asked }: Pick<Capacity, 'asked'>, value: number): string {
  const currency = asked.prices?.currency ?? '';
  if (value !== 0 && Math.abs(value) < 1) return `${Number(value.toPrecision(3))} ${currency}`;
  const [whole = '', cents = ''] = value.toFixed(2).split('.');
  return `${grouped(Number(whole))}.${cents} ${currency}`;
}

export function joinSentence({
  scenario,
  hostType,
  participantsPerHost,
  joinsPerSecond,
  basis,
  seconds,
}: Joining): string {
  const pace =
    basis === 'asked'
      ? `at ${numberNear(joinsPerSecond)} a second`
      : `at the ${numberNear(joinsPerSecond)} a second of the runs`;
  const most = basis === 'asked' ? '' : ' at most, as far as was measured';
  return `${scenario} on ${hostType}: a host is full, with ${grouped(Math.round(participantsPerHost))} participants, ${durationText(1000 * seconds)} after the first joins${most} (${pace}).`;
}
