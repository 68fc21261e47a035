import type { DrillRecord, Returned } from '../../model/drill.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { highest, lowest, median } from '../statistics/statistics.js';
import { plural } from '../wording/wording.js';
import { countOf } from './headline.js';

/** A server that was taken away: who came back and when, and what the others saw. */
export function drillSentences(run: FinishedRun): string[] {
  return run.records.flatMap((record) => (record.drill ? sentencesOf(run, record, record.drill) : []));
}

function sentencesOf(run: FinishedRun, { size, window }: TrialRecord, drill: DrillRecord): string[] {
  const { server, lostAtMs, sessions, returned, others } = drill;
  const at = window ? ` ${seconds(lostAtMs - window.startMs)} into the window` : '';
  const begin = `Drill at ${countOf(run, size)}: ${server} was taken away${at}, with ${plural(sessions.length, 'session')} on it.`;
  return [`${begin} ${returnText(returned)}`, othersText(others)];
}

function othersText(others: DrillRecord['others']): string {
  if (!others) return 'What those on other servers saw could not be judged.';
  const { probes, verdict, reasons } = others;
  if (verdict === 'stable')
    return `The ${probes} probes on other servers saw nothing beyond the limits, over the whole window.`;
  return `Of the ${probes} probes on other servers the window is ${verdict}: ${reasons[0] ?? ''}`;
}

function returnText(returned: readonly Returned[]): string {
  if (returned.length === 0) return 'The trial ended before its participants could come back.';
  const back = returned.filter(({ backMs }) => backMs !== undefined);
  const servers = [...new Set(back.flatMap(({ server }) => server ?? []))].sort();
  const where = servers.length === 0 ? '' : ` (on ${servers.join(', ')})`;
  const noticed = spanText(returned.flatMap(({ noticedMs }) => noticedMs ?? []));
  const joined = spanText(back.flatMap(({ backMs }) => backMs ?? []));
  const unaware = returned.filter(({ noticedMs }) => noticedMs === undefined).length;
  const first = returned.find(({ failure }) => failure !== undefined);
  return [
    `${back.length} of their ${plural(returned.length, 'participant')} came back${where}.`,
    ...(noticed === undefined ? [] : [`They noticed after ${noticed}.`]),
    ...(unaware === 0 ? [] : [`${unaware} had not noticed when the others came back.`]),
    ...(joined === undefined ? [] : [`They had media ${joined} after they began to join again.`]),
    ...(first ? [`${first.participant} did not: ${first.failure}.`] : []),
  ].join(' ');
}

/** "5.2 s (4.9 to 7.1 s)": the middle one, the first and the last. */
function spanText(ms: readonly number[]): string | undefined {
  const [middle, least, most] = [median(ms), lowest(ms), highest(ms)];
  if (middle === undefined || least === undefined || most === undefined) return undefined;
  return `${seconds(middle)} (${(least / 1000).toFixed(1)} to ${seconds(most)})`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
