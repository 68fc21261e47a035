import type { ArrivalsRecord, TimeCounts } from '../../model/arrivals.js';
import { those } from '../../model/those.js';
import type { JoinStatistic } from '../../model/threshold-id.js';
import type { Reason, ThresholdResult, Verdict, VerdictKind } from '../../model/verdict.js';
import { windowMsOf } from '../arrivals/arrivals-summary.js';
import { type AnswerLimit, joinLimitsOf, type MediaLimit, mediaLimitsOf } from '../arrivals/join-limits.js';
import { queueGrowth } from '../arrivals/queue-growth.js';
import { meanOf, percentileOf } from '../arrivals/time-histogram.js';
import { numberNear, plural, worstFirst } from '../wording/wording.js';
import { hostNamer } from './by-host.js';
import { disturbed } from './disturbed.js';
import { hostReasons } from './host-reasons.js';
import { crashFaults, failureReasonsOf } from './joining.js';
import { type JudgeInput, mediaOfComers } from './judge-input.js';
import { joinPercents, successRow } from './own-join-rules.js';
import { type ProbeFault, reasonsOf } from './probe-fault.js';
import { serverDrops } from './server-drops.js';
import { serverErrors, serverExcess, serverLost } from './server-said.js';
import { labelOf } from './threshold-label.js';
import { limitRow } from './threshold-row.js';

/** How late the generator may be, as a share of the limit: nine tenths of the measured time are then the server's. */
const lateShare = 0.1;
/** Timers of Node have whole milliseconds, and answers are read one by one. Nothing below this is called late. */
const lateLeastMs = 5;
/**
 * A page begins a participant between two frames and what else it plays: nothing less is called late where the server's
 * own part of an answer is measured beside. Chosen.
 */
const browserLateMs = 250;

/**
 * The verdict on a trial by arrivals, in the order of `judge`: interrupted; the server's own word; load that was not
 * applied as the schedule says, because the generator was late; what those who came noticed, which is void where the
 * generator's host or its browsers may have done it; stable. Pure, and made of counts alone: a trial judged again gives
 * what was stored.
 */
export function judgeArrivals(
  input: JudgeInput,
  /** What went wrong with the browsers of those who came, as they were read. */
  shown: readonly ProbeFault[] = [],
): Verdict {
  const { arrivals: seen } = input;
  const limits = joinLimitsOf(input.thresholds);
  const success = seen && successRow(seen.due === 0 ? undefined : (100 * seen.answered) / seen.due, limits.successMin);
  const answers = seen ? limits.answers.map((limit) => answerRow(seen.answer, limit)) : [];
  const media = seen ? mediaRows(seen, mediaLimitsOf(input.thresholds)) : [];
  const thresholds = [...answers, ...media, ...(success ? [success] : [])];
  const verdict = (kind: VerdictKind, reasons: readonly Reason[], exhausted = false): Verdict => ({
    kind,
    reasons: worstFirst(reasons.map(hostNamer(input, kind === 'void'))),
    thresholds,
    ...(kind === 'void' ? { probesExhausted: exhausted } : {}),
  });
  if (input.interrupted) return verdict('void', [{ code: 'interrupted', text: 'The trial was interrupted.' }]);
  const told = [...serverLost(input.events, []), ...serverExcess(input.events)];
  if (told.length > 0) return verdict('unstable', told);
  const saidNo = seen !== undefined && refusedTooMany(seen, limits.successMin);
  // Of browsers that come, those that crashed and hosts that were lost took load away.
  const gone = saidNo || !mediaOfComers(input) ? [] : crashFaults(failureReasonsOf(input.probes));
  if (gone.length > 0) return verdict('void', reasonsOf(gone));
  if (!seen || !success || seen.due === 0) {
    return verdict('void', [
      { code: 'samples-missing', text: 'The trial ended before anybody who is judged was due.' },
    ]);
  }
  const areMany = (input.hosts ?? []).length > 1;
  const late = [...latenessReasons(seen, limits.answers), ...ownSlowness(seen, limits.answers, areMany)];
  if (late.length > 0) return verdict('void', late, isAlwaysLate(seen, limits.answers));
  const noticed = [
    ...(success.passed ? [] : failedReasons(seen, limits.successMin)),
    ...[...answers, ...media].flatMap((row) => answerReason(row, seen)),
    ...stormReasons(seen),
    ...queueReasons(input),
  ];
  // What is said of a host is said of it once.
  const faults = [...new Map([...hostReasons(input), ...shown].map((fault) => [fault.reason.text, fault])).values()];
  // Of browsers' media: no host that is full, and no page that is late, can make a server drop. But load that was not
  // there says nothing.
  const drops = mediaOfComers(input) ? serverDrops(input) : [];
  const isTheServers = drops.length > 0 && faults.every(({ spoils }) => spoils === 'blame');
  // No generator can make a server say no.
  const isExcused = faults.length > 0 && !saidNo && !isTheServers;
  if (!isExcused && noticed.length === 0) return verdict('stable', []);
  if (!isExcused) return verdict('unstable', [...serverErrors(input.events), ...drops, ...noticed]);
  const reasons = reasonsOf(faults);
  const nothing = verdict('void', reasons, faults.some(({ exhausted }) => exhausted) && !reasons.some(isOfOthers));
  return noticed.length === 0
    ? { ...verdict('stable', []), ...disturbed(nothing) }
    : { ...nothing, discardsFailure: true };
}

/** Refusals that alone break `join.success` are the server's own word: no fault of the probes excuses them. */
function refusedTooMany({ due, refused }: ArrivalsRecord, successMin: number): boolean {
  return due > 0 && (100 * (due - refused)) / due < successMin;
}

/** It may be gone when the trial is repeated, as in any other trial. */
const isOfOthers = ({ code }: Reason): boolean => code === 'environment';

function statisticOf(counts: TimeCounts, statistic: JoinStatistic): number | undefined {
  return statistic === 'mean' ? meanOf(counts) : percentileOf(counts, joinPercents[statistic]);
}

function answerRow(counts: TimeCounts, { statistic, limitMs: limit }: AnswerLimit): ThresholdResult {
  const id = { of: 'join', time: 'answer', statistic } as const;
  return limitRow({ id, code: 'join-late', unit: 'ms', limit, comparison: 'at-most' }, statisticOf(counts, statistic));
}

/** Of browsers alone: how long they took to connect and to have their media. */
function mediaRows({ connected, firstFrame }: ArrivalsRecord, limits: readonly MediaLimit[]): ThresholdResult[] {
  return limits.flatMap(({ time, statistic, limitMs }) => {
    const counts = time === 'time' ? connected : firstFrame;
    if (!counts) return [];
    const worst = statisticOf(counts, statistic);
    const id = { of: 'join', time, statistic } as const;
    const code = time === 'time' ? 'join-late' : 'first-frame-late';
    const limit = { unit: 'ms', limit: limitMs, limitText: `≤ ${limitMs / 1000} s`, comparison: 'at-most' } as const;
    const passed = worst !== undefined && worst <= limitMs;
    const named = time === 'firstFrame' ? `from due to the first frame, ${statistic}` : labelOf(id);
    return { id, code, label: named, ...limit, worst: worst ?? null, passed };
  });
}

/**
 * A browser that takes its time to describe what it sends makes its own answer late. Where a limit is passed by that
 * alone, and the server's part of it is within, nothing can be said of the server.
 */
function ownSlowness(
  { answer, served }: ArrivalsRecord,
  limits: readonly AnswerLimit[],
  /** What they say goes over a bus. */
  onManyHosts: boolean,
): Reason[] {
  if (!served) return [];
  return limits.flatMap(({ statistic, limitMs }): Reason[] => {
    const whole = statisticOf(answer, statistic);
    const ofServer = statisticOf(served, statistic);
    if (whole === undefined || whole <= limitMs || (ofServer !== undefined && ofServer > limitMs)) return [];
    const who = onManyHosts ? 'The browsers, or the way from their hosts,' : 'The browsers themselves';
    const text = `${who} were too slow to join: of ${numberNear(whole, limitMs)} ms to the answer (${statistic}; limit ${limitMs} ms) the server took ${numberNear(ofServer ?? 0, limitMs)}.`;
    return [{ code: 'generator-late', text, measured: whole, limit: limitMs, unit: 'ms' }];
  });
}

/** Nothing if nobody was answered: `join.success` covers that. */
function answerReason({ id, code, label, worst, limit, passed }: ThresholdResult, seen: ArrivalsRecord): Reason[] {
  if (passed || worst === null) return [];
  const { answer, connected, firstFrame, due } = seen;
  const times = { answer, time: connected, firstFrame };
  const count = (id?.of === 'join' ? times[id.time] : undefined)?.count ?? due;
  const who = count < due ? `${count} of ${due}` : 'all';
  const text = `${label} is ${numberNear(worst, limit)} ms over ${who} who were due, counted from when each was due (limit ${limit} ms).`;
  return [{ code, text, measured: worst, limit, unit: 'ms' }];
}

function stormReasons({ storm }: ArrivalsRecord): Reason[] {
  if (!storm || storm.overMs !== undefined) return [];
  const missing = storm.due - storm.answered;
  const why =
    missing > 0
      ? `${missing} of the ${storm.due} who came in it were not answered`
      : storm.usualMs === undefined
        ? 'nobody came in the window before it, so that nothing shows what was usual'
        : `to the end of the window some who came evenly waited more than twice the ${numberNear(storm.usualMs)} ms of before`;
  return [{ code: 'storm-lasting', text: `The storm was not over within the window: ${why}.` }];
}

/** Within its limits so far, and not for long: what grows like this passes any limit. */
function queueReasons(seen: Pick<JudgeInput, 'window' | 'arrivals'>): Reason[] {
  const { waitsMs } = seen.arrivals ?? {};
  const growth = waitsMs && queueGrowth(waitsMs, windowMsOf(seen));
  if (!growth) return [];
  const { fromMs, toMs, msPerSecond } = growth;
  const text = `A queue grows: those who came waited ${numberNear(fromMs)} ms for the server at the beginning of the window and ${numberNear(toMs)} ms at its end, ${numberNear(msPerSecond)} ms more each second.`;
  return [{ code: 'queue-growing', text, measured: msPerSecond, unit: 'ms/s' }];
}

/** A refusal and no answer are two ways to fail: a server that sheds load, and one that drowns in it. */
function failedReasons(seen: ArrivalsRecord, limit: number): Reason[] {
  const measured = (100 * seen.answered) / seen.due;
  const counted = those(
    seen.refused > 0 && `${seen.refused} were refused`,
    seen.stalled > 0 && `${seen.stalled} got no answer in time`,
    seen.failed > 0 && `${seen.failed} failed in another way`,
  );
  const [first] = seen.failures;
  const whom = first
    ? ` ${first.participant}, the first of ${plural(first.count, 'such failure')}: ${first.detail.replace(/\.$/, '')}.`
    : '';
  const text = `${numberNear(measured, limit)} % of ${seen.due} who were due joined (limit ${limit} %): ${counted.join(', ')}.${whom}`;
  return [{ code: 'join-failed', text, measured, limit, unit: '%' }];
}

/** It was this size that was too much for the generator, and not an accident that a repeat may not see. */
function isAlwaysLate({ late, asleep, served }: ArrivalsRecord, limits: readonly AnswerLimit[]): boolean {
  const limit = lateLimit(Math.min(...limits.map(({ limitMs }) => limitMs)), served !== undefined);
  return [late, asleep].some((counts) => (percentileOf(counts, 50) ?? 0) > limit);
}

function lateLimit(limitMs: number, areBrowsers: boolean): number {
  return Math.max(areBrowsers ? browserLateMs : lateLeastMs, lateShare * limitMs);
}

/** At the same statistic as each limit, for then what is added to the measured value is known to be so little. */
function latenessReasons(
  { late, asleep, due, begun, undescribed = 0, served }: ArrivalsRecord,
  limits: readonly AnswerLimit[],
): Reason[] {
  const missing = due - begun;
  const undone = [
    [missing, `The generator did not begin ${missing} of ${due} who were due.`],
    [
      undescribed,
      `${undescribed} of ${due} browsers did not say in time what they send: the media server was not asked.`,
    ],
  ] as const;
  const uncounted = undone.flatMap(([measured, text]): Reason[] =>
    measured > 0 ? [{ code: 'generator-late', text, measured, limit: 0, unit: 'count' }] : [],
  );
  const reasons = limits.flatMap(({ statistic, limitMs }): Reason[] => {
    const limit = lateLimit(limitMs, served !== undefined);
    return Object.entries({ 'began participants': late, 'read answers': asleep }).flatMap(([what, counts]) => {
      const measured = statisticOf(counts, statistic);
      if (measured === undefined || measured <= limit) return [];
      const text = `The generator ${what} up to ${numberNear(measured, limit)} ms late (${statistic}; limit ${numberNear(limit)} ms): the load was not what the size says.`;
      return [{ code: 'generator-late', text, measured, limit, unit: 'ms' }];
    });
  });
  return [...uncounted, ...reasons];
}
