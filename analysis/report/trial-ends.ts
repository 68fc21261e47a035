import type { FinishedRun } from '../../model/finished-run.js';
import { groupedBy } from '../../model/grouped.js';
import { those } from '../../model/those.js';
import { historyOf } from '../search/history.js';
import { withoutHastyFailures } from '../search/hurry.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';

/** Below this nobody would have noticed. */
const worthNamingPercent = 1;
const scarceMemoryMb = 1024;

/** That trials were ended before their time, and why that changes nothing. */
export function earlyEndSentences({ records }: FinishedRun): string[] {
  const early = records.filter((record) => record.endedEarly);
  const [first] = early;
  if (!first?.endedEarly) return [];
  const seconds = numberNear(first.endedEarly.afterMs / 1000);
  const when = first.endedEarly.afterMs === 0 ? 'before measuring' : `after ${seconds} s of measuring`;
  return [
    `${plural(early.length, 'unstable trial')} ended early, where no rest of the window could make it stable; the first, trial ${first.index}, ${when}.`,
  ];
}

/** That sizes were foreseen and trials screened, how that came out, and what it rests on. */
export function steeringSentences({ records }: FinishedRun): string[] {
  const screened = records.filter((record) => record.screened);
  const foreseen = records.filter(({ foresees, verdict }) => foresees !== undefined && verdict.kind !== 'void');
  const right = foreseen.filter(({ foresees, verdict }) => verdict.kind === foresees).length;
  return those(
    foreseen.length > 0 &&
      `The search went where it foresaw the limit; ${right} of ${plural(foreseen.length, 'such trial')} came out as foreseen. No verdict rests on that.`,
    screened.length > 0 &&
      `${plural(screened.length, 'trial')} that only steered ended once clearly stable. None of that confirms the limit.`,
  );
}

/** Failures that the answer does not count, as those who failed joined faster than the plan has it. */
export function hasteSentences(run: FinishedRun): string[] {
  const history = historyOf(run.records);
  const counted = new Set(withoutHastyFailures(history));
  const apart = history.filter((trial) => !counted.has(trial));
  if (apart.length === 0) return [];
  const sizes = [...groupedBy(apart, ({ size }) => size)].sort(([a], [b]) => a - b);
  const failed = sizes.map(([size, trials]) => `${countOf(run, size)} in ${plural(trials.length, 'trial')}`);
  return [
    `Not counted, as participants joined faster than in the first trial: ${failed.join(', ')} failed. At its pace as many held.`,
  ];
}

/** What the probe host lacked beside CPU of its own, in trials that were judged all the same. */
export function scarcitySentences({ records }: FinishedRun): string[] {
  const loads = records.filter((record) => record.verdict.kind !== 'void').map((record) => record.load);
  const throttled = Math.max(0, ...loads.flatMap((load) => load.throttledPercentMean ?? []));
  const stolen = Math.max(0, ...loads.flatMap((load) => load.probeHostStolenPercentMean ?? []));
  const memory = Math.min(Number.POSITIVE_INFINITY, ...loads.flatMap((load) => load.probeHostMemoryMbMin ?? []));
  return those(
    throttled > worthNamingPercent &&
      `A CPU quota (cgroup) held the browsers back ${numberNear(throttled)} % of the time in a judged trial.`,
    stolen > worthNamingPercent &&
      `Other virtual machines took ${numberNear(stolen)} % of the probe host's CPU in a judged trial.`,
    memory < scarceMemoryMb && `The probe host had ${numberNear(memory)} MB of memory left at its scarcest.`,
  );
}
