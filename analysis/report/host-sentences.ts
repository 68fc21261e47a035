import type { FinishedRun } from '../../model/finished-run.js';
import { clockBoundMsMax, hostName, lateStartMs, localHostId } from '../../model/probe-host.js';
import { those } from '../../model/those.js';
import { numberNear, plural } from '../wording/wording.js';
import { type HostAccount, hostAccounts } from './host-accounts.js';
import { figureText, left, right, type TextStyle, wrap } from './layout.js';

const mostRows = 12;
const mostNamed = 6;
/** A link used this much in some second is called full: the rest is what Ethernet adds to each frame. */
const fullLinkPercent = 92;

/** The probe hosts of a run: those with trouble first, then the busiest. Empty if only the conductor's own played. */
export function hostSection(run: FinishedRun, style: TextStyle): string[] {
  const accounts = [...hostAccounts(run.records)].sort(
    (a, b) => Number(hadTrouble(b)) - Number(hadTrouble(a)) || (b.busyPercentMean ?? 0) - (a.busyPercentMean ?? 0),
  );
  if (accounts.length === 0) return [];
  const rest = accounts.slice(mostRows);
  const most = rest[0]?.busyPercentMean;
  const others =
    rest.length === 0
      ? []
      : [`    and ${plural(rest.length, 'other')}${most === undefined ? '' : `, at most ${numberNear(most)} % busy`}`];
  return [
    style.bold('  Probe hosts, each figure its highest of a trial'),
    style.dim(rowText(['host', 'place', 'cores', 'probes', 'CPU %', 'worst s', 'steal %', 'free MB', 'link %'])),
    ...accounts.slice(0, mostRows).map((account) => rowText(cellsOf(account))),
    ...others,
    ...hostSentences(run).flatMap((sentence) => wrap(sentence, 4, 80, 2)),
  ];
}

export function hostSentences({ records }: FinishedRun): readonly string[] {
  const accounts = hostAccounts(records);
  return [...clockSentences(accounts), ...accounts.flatMap(troubleSentences)];
}

/** Participants that did not begin when they were due, on whichever host. */
export function lateStartSentences({ records }: FinishedRun): readonly string[] {
  const late = records.flatMap(({ index, probes }) =>
    probes.flatMap(({ participant: { id }, host = localHostId, join: { startedLateMs } }) =>
      startedLateMs === undefined ? [] : [{ index, id, host, startedLateMs }],
    ),
  );
  const worst = late.reduce((most, one) => (one.startedLateMs > (most?.startedLateMs ?? 0) ? one : most), late[0]);
  if (!worst) return [];
  const on = worst.host === localHostId ? '' : ` on host ${worst.host}`;
  return [
    `Starts: ${plural(late.length, 'participant')} began more than ${lateStartMs} ms later than planned, at worst ${numberNear(worst.startedLateMs)} ms (${worst.id}${on}, trial ${worst.index}).`,
  ];
}

function hadTrouble({
  voidTrials,
  lostIn,
  samplesDropped,
  batchesLost,
  linkPercentMax = 0,
  beganLateMsMax = 0,
}: HostAccount): boolean {
  return (
    voidTrials.length + lostIn.length + samplesDropped + batchesLost > 0 ||
    linkPercentMax >= fullLinkPercent ||
    beganLateMsMax > lateStartMs
  );
}

/** Absent is a dash, and never zero. */
function cellsOf(account: HostAccount): readonly string[] {
  const {
    host,
    place = '–',
    cores,
    probesMost,
    busyPercentMean,
    busyPercentMax,
    stolenPercentMean,
    memoryMbMin,
    linkPercentMax,
  } = account;
  const figures = [cores, probesMost, busyPercentMean, busyPercentMax, stolenPercentMean, memoryMbMin, linkPercentMax];
  return [host, place, ...figures.map(figureText)];
}

const widths = [15, 11, 5, 7, 7, 8, 8, 8, 7] as const;

function rowText(cells: readonly string[]): string {
  const columns = cells.map((cell, nth) =>
    nth < 2 ? left(cell, (widths[nth] ?? 8) - 1).padEnd(widths[nth] ?? 8) : right(cell, widths[nth] ?? 8),
  );
  return `    ${columns.join('')}`.trimEnd();
}

function clockSentences(accounts: readonly HostAccount[]): string[] {
  const clocks = accounts.flatMap(({ host, clock }) => (clock ? [{ host, ...clock }] : []));
  const vaguest = clocks.reduce((most, one) => (one.boundMs > (most?.boundMs ?? -1) ? one : most), clocks[0]);
  if (!vaguest) return [];
  const furthest = clocks.reduce(
    (most, one) => (Math.abs(one.offsetMs) > Math.abs(most.offsetMs) ? one : most),
    vaguest,
  );
  const drifts = clocks.flatMap(({ host, drift }) => (drift ? [{ host, ...drift }] : []));
  const fastest = drifts.reduce((most, one) => (Math.abs(one.ppm) > Math.abs(most?.ppm ?? 0) ? one : most), drifts[0]);
  const drift = fastest
    ? `; the most that one drifted is ${fastest.ppm} ± ${fastest.boundPpm} ppm (${fastest.host})`
    : '';
  const furthestMs = -furthest.offsetMs;
  return [
    `Clocks were set right to within ${numberNear(vaguest.boundMs, clockBoundMsMax)} ms (${vaguest.host}; limit ${clockBoundMsMax} ms); the furthest off was ${numberNear(Math.abs(furthestMs) / 1000)} s ${furthestMs < 0 ? 'behind' : 'ahead'} (${furthest.host})${drift}.`,
  ];
}

function troubleSentences(account: HostAccount): string[] {
  const {
    host,
    place,
    voidTrials,
    lostIn,
    samplesDropped,
    batchesLost,
    beganLateMsMax = 0,
    linkPercentMax = 0,
  } = account;
  const name = `Host ${hostName({ id: host, ...(place === undefined ? {} : { place }) })}`;
  const missing = account.samplesExpected - account.samplesGot;
  const facts = those(
    voidTrials.length > 0 && `is a reason why ${trialsText(voidTrials)} void`,
    lostIn.length > 0 && `went away in ${plural(lostIn.length, 'trial')} (${listed(lostIn)})`,
    samplesDropped > 0 && `let go of ${plural(samplesDropped, 'sample')} that it could not send`,
    batchesLost > 0 && `had ${plural(batchesLost, 'batch', 'batches')} of what it told lost on the bus`,
    missing > 0 && `gave ${account.samplesGot} of ${account.samplesExpected} samples`,
    beganLateMsMax > lateStartMs && `began to join its probes up to ${numberNear(beganLateMsMax)} ms late`,
    linkPercentMax >= fullLinkPercent &&
      `had its own link full in some second (${numberNear(linkPercentMax)} % of what the interface carries)`,
    account.carries !== undefined &&
      account.probesMost > account.carries &&
      `played up to ${account.probesMost} probes and was calibrated to carry ${account.carries}`,
  );
  return facts.length === 0 ? [] : [`${name} ${facts.join('; ')}.`];
}

const trialsText = (trials: readonly number[]) =>
  trials.length === 1 ? `trial ${trials[0]} is` : `trials ${listed(trials)} are`;

function listed(trials: readonly number[]): string {
  const shown = trials.slice(0, mostNamed).join(', ');
  return trials.length > mostNamed ? `${shown} and ${trials.length - mostNamed} others` : shown;
}
