import type { AggregateName } from '../../model/aggregate.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { isCleanNetwork } from '../../model/network.js';
import type { StreamKind } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import { trialsAt } from '../measure/trials-at.js';
import { highest, lowest } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { rightPersonText } from './right-person.js';
import { failedSizes, sizesTold } from './shown-sizes.js';

/**
 * What people had at the size that the answer tells, where a verdict alone does not say it: on links that explain what
 * is wrong there, by marks of senders, and of messages. Empty where there is none of these.
 */
export function hadText(run: FinishedRun): string {
  const [size] = sizesTold(run);
  if (size === undefined) return '';
  const trials = trialsAt(run.records, size);
  const networks = (run.manifest.plan.networks ?? []).filter((network) => !isCleanNetwork(network));
  const isAsked = run.manifest.plan.media.drawnMarks === true;
  // Marks that nobody asked for give way to what failed and to networks; the remarks tell them.
  const isAlone = networks.length === 0 && failedSizes(run).length === 0;
  return [
    ...networks.flatMap(({ name }) => networkText(name, trials)),
    ...(isAsked || isAlone ? marksText(trials) : []),
    ...messagesText(trials),
  ].join(' ');
}

function networkText(name: string, trials: readonly TrialRecord[]): string[] {
  const own = valuesIn(trials, (trial) => {
    const members = trial.probes.filter(({ participant: { network } }) => network === name);
    return new Set(members.map(({ participant: { id } }) => id));
  });
  const parts = [
    ...spanText('MOS', own('audio', 'mos')),
    ...spanText('pictures frozen', own('video', 'frozenPercent'), ' % of the time'),
  ];
  return parts.length === 0 ? [] : [`On ${name}: ${parts.join(', ')}.`];
}

function marksText(trials: readonly TrialRecord[]): string[] {
  const all = valuesIn(trials);
  const parts = [
    ...spanText('Pictures were shown', all('video', 'shownP95Ms'), ' ms after they were taken (p95)'),
    ...spanText('Pictures: delay p95', all('video', 'delayP95Ms'), ' ms'),
    ...spanText('Sound: delay p95', all('audio', 'delayP95Ms'), ' ms'),
    ...openText('Between hosts these are', [...all('video', 'delayBoundMs'), ...all('audio', 'delayBoundMs')]),
  ];
  return [...parts.map((part) => `${part}.`), rightPersonText(trials) ?? []].flat();
}

function messagesText(trials: readonly TrialRecord[]): string[] {
  const all = valuesIn(trials);
  const parts = [
    ...spanText('delay p95', all('data', 'delayP95Ms'), ' ms'),
    ...openText('between hosts', all('data', 'delayBoundMs')),
    ...spanText('lost', all('data', 'lossPercent'), ' %'),
  ];
  return parts.length === 0 ? [] : [`Messages: ${parts.join(', ')}.`];
}

/** Of what is received, by those of each trial, or by all. */
function valuesIn(trials: readonly TrialRecord[], membersOf?: (trial: TrialRecord) => ReadonlySet<string>) {
  const streams = trials.flatMap((trial) => {
    const members = membersOf?.(trial);
    return trial.streams.filter(({ probe, direction }) => direction === 'receive' && (members?.has(probe) ?? true));
  });
  return (of: StreamKind, name: AggregateName): readonly number[] =>
    streams.flatMap(({ kind, values }) => (kind === of ? (values[name] ?? []) : []));
}

/** What clocks of hosts leave open. */
function openText(what: string, bounds: readonly number[]): string[] {
  const most = highest(bounds);
  return most === undefined ? [] : [`${what} ± ${numberNear(most)} ms`];
}

/** "MOS 2.9 to 3.4": from the least to the most of the streams. */
function spanText(what: string, values: readonly number[], unit = ''): string[] {
  const [least, most] = [lowest(values), highest(values)];
  if (least === undefined || most === undefined) return [];
  const [from, to] = [numberNear(least), numberNear(most)];
  return [`${what} ${from === to ? from : `${from} to ${to}`}${unit}`];
}
