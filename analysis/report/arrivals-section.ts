import {
  type ArrivalsPlan,
  joinSteps,
  leadInMs,
  presentAtATime,
  type StormRecord,
  stormAfterMs,
  stormSize,
  whoCome,
} from '../../model/arrivals.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Plan } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { those } from '../../model/those.js';
import type { TrialRecord } from '../../model/trial.js';
import { type ArrivalsSummary, arrivalsAt, stepWords, windowMsOf } from '../arrivals/arrivals-summary.js';
import { joinLimitTexts } from '../arrivals/join-limits.js';
import { leastVisibleGrowth } from '../arrivals/queue-growth.js';
import { meanOf, percentileOf } from '../arrivals/time-histogram.js';
import { ratePerSecondAt } from '../statistics/erlang.js';
import { highest } from '../statistics/statistics.js';
import { neverZero, percentText, setTimeText } from '../wording/quantity.js';
import { numberNear, plural } from '../wording/wording.js';

/** So many of a hundred who find no place are often put up with. */
const usualBlocking = 0.01;

/** How they come, and by what it is judged how they join. */
function comingTexts({ process, holdMs, stay, ...load }: ArrivalsPlan, { thresholds, timing: { measureMs } }: Plan) {
  const about = stay === 'exponential' ? 'about ' : '';
  return [
    `for ${setTimeText(measureMs)} after ${setTimeText(leadInMs({ holdMs, stay }))} of coming, ${process} arrivals, each staying ${about}${holdMs / 1000} s:`,
    ...stormAheadTexts(load, measureMs),
    ...joinLimitTexts(thresholds).map((text) => `  ${text}`),
    `  counted from when each is due; no answer in ${thresholds.joinMsMax / 1000} s is a failure`,
  ];
}

function stormAheadTexts({ storm, reconnect }: Pick<ArrivalsPlan, 'storm' | 'reconnect'>, measureMs: number): string[] {
  if (storm === undefined && reconnect === undefined) return [];
  const when = `after ${setTimeText(stormAfterMs(measureMs))} of it`;
  const what = reconnect
    ? 'all who are there lose their connections, and as many come back at once'
    : `${storm} more come at once`;
  return [`  ${when} ${what}, which is over within the window`];
}

/** With one begun and with the most (Little's law). */
function thereTexts(load: ArrivalsPlan, largest: number, unit: ScenarioUnit): readonly string[] {
  const about = (size: number) =>
    `about ${Number(presentAtATime(size, load).toFixed(1))} ${whoCome(unit)} at a time with ${size} ${size === 1 ? unit.one : unit.many}`;
  return [1, largest].map(about);
}

/** Counted are those who are due in the window, and their rate is said, too. */
function playersText({ records }: FinishedRun, size: number, probes: number): string {
  const seen = arrivalsAt(records, size);
  return seen
    ? `${numberNear(seen.due / seen.seconds)} participants per second, ${probes} in its window`
    : `${probes} participants in its window`;
}

/** How those who were due fared at a size, step by step; nothing for runs whose load is no arrivals. */
export function arrivalsSentences(run: FinishedRun, size: number): string[] {
  const seen = arrivalsAt(run.records, size);
  const { manifest } = run;
  const { load } = manifest.plan;
  if (!seen || load.by !== 'arrivals') return [];
  return [
    perSecondText(seen),
    ...timesText(seen),
    stepsText(seen),
    `There at a time: ${numberNear(seen.presentMean)} ${whoCome(manifest.unit ?? { one: 'session', many: 'sessions' })} in the mean, ${seen.presentMax} at most.`,
    ...queueTexts(run, size),
    ...stormTexts(run, size, stormSize(size, load)),
    ...trafficText(seen),
    ...(seen.leftBadly > 0 ? [`What ${seen.leftBadly} had on the server could not be ended when they left.`] : []),
    ...erlangText(seen, load),
  ];
}

function perSecondText({ seconds, due, begun, answered, refused, stalled, failed }: ArrivalsSummary): string {
  const rate = (count: number) => neverZero(count / seconds);
  const bad = those(
    refused > 0 && `${rate(refused)} refused: the server sheds load`,
    stalled > 0 && `${rate(stalled)} without an answer in time: the server stalls`,
    failed > 0 && `${rate(failed)} failed in another way`,
  );
  const how = bad.length === 0 ? 'none failed' : bad.join(', ');
  return `Participants per second: ${rate(due)} due, ${rate(begun)} begun, ${rate(answered)} answered, ${how}.`;
}

/** Whoever waited in vain counts with the least that it took; who failed at once is in no time. */
function timesText({ due, answer, connected, firstFrame }: ArrivalsSummary): string[] {
  const told = Object.entries({ answered: answer, connected, 'the first frame': firstFrame });
  return told.flatMap(([what, counts]) => {
    if (!counts || counts.count === 0) return [];
    const [p50, p95, p99, max] = [50, 95, 99, 100].map((percent) => numberNear(percentileOf(counts, percent) ?? 0));
    const of = counts.count < due ? `, of ${counts.count} of ${due} due` : '';
    return `From due to ${what}: p50 ${p50}, p95 ${p95}, p99 ${p99}, max ${max} ms (±1 %; max exact)${of}.`;
  });
}

function stepsText({ steps }: ArrivalsSummary): string {
  const parts = joinSteps.flatMap((step) => {
    const ms = meanOf(steps[step]);
    return ms === undefined ? [] : `${stepWords[step]} ${numberNear(ms)}`;
  });
  return `Where the time went, mean ms: ${parts.join(', ')}.`;
}

/** What the window was too short to show, or what came were too few; of the trial that showed least. */
function queueTexts({ records }: FinishedRun, size: number): string[] {
  const known = records.flatMap((record) => {
    const { waitsMs } = record.arrivals ?? {};
    const isJudged = record.size === size && record.verdict.kind === 'stable' && waitsMs;
    return isJudged ? [{ waitsMs, windowMs: windowMsOf(record) }] : [];
  });
  if (known.length === 0) return [];
  if (known.some(({ waitsMs }) => waitsMs.length === 0)) {
    return ['Too few came in the window to see whether a queue grows: give a longer --measure.'];
  }
  const visible = highest(known.map(({ waitsMs, windowMs }) => leastVisibleGrowth(waitsMs, windowMs))) ?? 0;
  // 10 ms more each second are one in a hundred more than the server takes on.
  return [
    `No queue grows, as far as the window shows: a rate ${numberNear(visible / 10)} % above what the server takes on would have been seen, and less would not.`,
  ];
}

/** Of each judged trial of its own: how long one was felt is no sum over several. */
function stormTexts({ records }: FinishedRun, size: number, parties: number): string[] {
  return records.flatMap(({ index, size: of, verdict, arrivals }) => {
    const { storm } = arrivals ?? {};
    return of === size && verdict.kind !== 'void' && storm ? [stormText(index, storm, parties)] : [];
  });
}

/** Who is lost is stored in what comes (sessions, viewers, members), all of one size; who is due, in participants. */
function stormText(trial: number, storm: StormRecord, parties: number): string {
  const { due, lost, answered, refused, stalled, failed, answer, usualMs, allAnsweredMs, overMs } = storm;
  const seconds = (ms: number) => `${numberNear(ms / 1000)} s`;
  const bad = those(
    refused > 0 && `, ${refused} refused`,
    stalled > 0 && `, ${stalled} without an answer in time`,
    failed > 0 && `, ${failed} failed in another way`,
  );
  const p50 = percentileOf(answer, 50);
  const half = p50 === undefined ? '' : `, half of them within ${seconds(p50)}`;
  const all = allAnsweredMs === undefined ? '' : ` and all within ${seconds(allAnsweredMs)}`;
  const before =
    usualMs === undefined ? '' : ` Those who came evenly had waited ${numberNear(usualMs)} ms at most before it.`;
  const over =
    overMs === undefined ? 'It was not over within the window.' : `All was as before after ${seconds(overMs)}.`;
  const who =
    lost === undefined
      ? ''
      : `the connections of ${Math.round((lost * due) / parties)} participants who were there were lost, and as many as are there by rate and stay came; `;
  return `The storm of trial ${trial}: ${who}of ${due} participants due at once ${answered} were answered${half}${all}${bad.join('')}.${before} ${over}`;
}

function trafficText({ traffic, due }: ArrivalsSummary): string[] {
  if (!traffic || due === 0)
    return ['Messages of its signalling are not counted for this kind of server, or where hosts speak to it.'];
  const each = (count: number) => numberNear(count / due);
  const { sentMessages, sentBytes, receivedMessages, receivedBytes, roundTrips } = traffic;
  return [
    `Signalling for each participant, joining and leaving: ${each(roundTrips)} round trips, ${each(sentMessages)} messages with ${each(sentBytes / 1000)} kB to the server, ${each(receivedMessages)} with ${each(receivedBytes / 1000)} kB from it.`,
  ];
}

/** What follows from a number of places, and beside it what was seen. */
function erlangText(seen: ArrivalsSummary, { holdMs, process }: ArrivalsPlan): string[] {
  const { presentMax, sessionsPerSecond, due, refused } = seen;
  if (presentMax < 1 || due === 0) return [];
  const rate = ratePerSecondAt(usualBlocking, presentMax, holdMs);
  const how = process === 'poisson' ? 'came by chance' : 'came evenly';
  return [
    `Measured: ${numberNear(sessionsPerSecond)} per second ${how}, each to stay ${holdMs / 1000} s, and ${percentText(refused / due)} of the participants were refused.`,
    `If ${presentMax} at a time were all that it has room for: those who come by chance and stay ${holdMs / 1000} s would find room, but for ${100 * usualBlocking} %, at up to ${numberNear(rate)} per second (Erlang B, not measured).`,
  ];
}

/** What a run of participants without media rests on, and how punctual the generator was. */
function trustSentences({ manifest, records }: FinishedRun): string[] {
  const { players } = manifest.plan;
  const judged = records.filter(({ verdict, arrivals }) => verdict.kind !== 'void' && arrivals);
  const worst = (of: 'late' | 'asleep') =>
    Math.max(0, ...judged.map(({ arrivals }) => percentileOf(arrivals?.[of], 99) ?? 0));
  return those(
    ...mediaSentences(players, records),
    players.kind === 'signalling' && players.legs === 'sending' && sendingAloneText,
    'Each was due by a schedule that waits for nobody, and its times are counted from then.',
    judged.length > 0 &&
      `The generator began participants at most ${numberNear(worst('late'))} ms late, and its timer woke at most ${numberNear(worst('asleep'))} ms late (p99 of a judged trial).`,
  );
}

function mediaSentences(players: Players, records: readonly TrialRecord[]): string[] {
  if (players.kind !== 'signalling') {
    return [
      'Those who came were browsers that sent and received media; what they saw is judged of each whose whole stay was in the window, from 2 s after its first frame.',
    ];
  }
  if (players.sentinels === 0) {
    return ['Participants signalled and sent no media: nothing is said of what they would have seen or heard.'];
  }
  const browsers = highest(records.map(({ probes }) => probes.length)) ?? 0;
  return [
    'Those who came signalled and sent no media, so that the server carried none of theirs.',
    `Beside them ${plural(browsers, 'browser')} in sessions that stayed sent and received media, and are judged as always: what is said of media is said of them alone.`,
  ];
}

const sendingAloneText =
  'They joined the connections on which they would send, and none on which they would receive: nothing is said of what those take.';

/** Its row of `loadWords`. */
export const arrivalsWords = { comingTexts, thereTexts, playersText, whoCame: arrivalsSentences, trustSentences };
