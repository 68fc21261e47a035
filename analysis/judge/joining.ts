import { firstFrameWaitMs } from '../../model/first-frame.js';
import { isCleanNetwork } from '../../model/network.js';
import { sourcesOf } from '../../model/scenario.js';
import type { ProbeFailure, ProbeFailureCode, ProbeRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult, UnstableCode, VoidCode } from '../../model/verdict.js';
import { sourceNetwork } from '../measure/baseline-key.js';
import { percentile } from '../statistics/statistics.js';
import { compareText, numberNear, plural } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import { type JoinTimesOf, joinLimit, judgeOwnJoinRules, slowerFirst, type TimedProbe } from './own-join-rules.js';
import { type ProbeFault, spoilsLoad } from './probe-fault.js';
import { limitRow } from './threshold-row.js';

/**
 * What befell a probe, and its participant did not notice. `fell`: with its page, its browser or its host, or it has no
 * way to the server. `misled`: it went another way than asked. The load of these two is gone. `stopped`: by the run.
 */
type Befell = 'fell' | 'misled' | 'stopped';

interface FailureReason {
  readonly code: UnstableCode | VoidCode;
  readonly phrase: string;
  /** Absent of what the participant noticed. */
  readonly befell?: Befell;
}

/** Each way to fail, as the verdict calls it. */
const failureReasons: Readonly<Record<ProbeFailureCode, FailureReason>> = {
  refused: { code: 'join-failed', phrase: 'was refused' },
  'signalling-timeout': { code: 'join-failed', phrase: 'got no answer' },
  'signalling-unusable': { code: 'join-failed', phrase: 'could not use what the server sent' },
  'ice-timeout': { code: 'join-failed', phrase: 'could not connect' },
  'dtls-timeout': { code: 'join-failed', phrase: 'could not connect' },
  'no-media': { code: 'no-media', phrase: 'got no media' },
  disconnected: { code: 'disconnected', phrase: 'lost its connection' },
  'server-lost': { code: 'server-lost', phrase: 'lost the media server' },
  'page-crashed': { code: 'page-crashed', phrase: 'fell with its page', befell: 'fell' },
  'page-error': { code: 'page-crashed', phrase: 'failed in its page', befell: 'fell' },
  'candidates-unusable': { code: 'candidates-unusable', phrase: 'has no way to the server', befell: 'fell' },
  'page-not-opened': { code: 'join-failed', phrase: 'could not open the page' },
  'join-script': { code: 'join-failed', phrase: 'could not join by its script' },
  'browser-crashed': { code: 'browser-crashed', phrase: 'fell with its browser', befell: 'fell' },
  'browser-start': { code: 'browser-start', phrase: 'was not begun', befell: 'fell' },
  'host-lost': { code: 'host-lost', phrase: 'went away with its host', befell: 'fell' },
  'not-relayed': { code: 'not-relayed', phrase: 'was not relayed', befell: 'misled' },
  'turn-lost': { code: 'turn-lost', phrase: 'lost the TURN server' },
  aborted: { code: 'interrupted', phrase: 'was stopped', befell: 'stopped' },
};

/** The reasons that probe records give by themselves: participants who did not come up, or fell. */
export function failureReasonsOf(probes: readonly ProbeRecord[]): Reason[] {
  return probes.flatMap((probe) => {
    const place = { probe: probe.participant.id, session: probe.participant.session };
    const reasons = probe.failures.map((failure) => ({ ...place, ...worded(failure) }));
    if (probe.up || reasons.length > 0) return reasons;
    return [{ ...place, code: 'join-failed', text: `${place.probe} did not come up, and nothing says why.` } as const];
  });
}

const befalling = Object.values(failureReasons).filter(({ befell }) => befell !== undefined);
const ofTheProbe: ReadonlySet<Reason['code']> = new Set(befalling.map(({ code }) => code));
const takesLoadAway: ReadonlySet<Reason['code']> = new Set(
  befalling.filter(({ befell }) => befell !== 'stopped').map(({ code }) => code),
);

/** It fell: nothing of the media server's, and the load it was is gone. */
export function isCrash({ code }: Pick<ProbeFailure, 'code'>): boolean {
  return failureReasons[code].befell === 'fell';
}

/** Faults that take load away: crashes, browsers that did not start, lost hosts, probes on a wrong route or none. */
export function crashFaults(failures: readonly Reason[]): ProbeFault[] {
  return failures.filter(({ code }) => takesLoadAway.has(code)).map(spoilsLoad);
}

/** What a participant noticed, as opposed to what befell the probe that played them. */
export function isNoticed({ code }: Reason): boolean {
  return !ofTheProbe.has(code);
}

/** By the server's own word. That a stream is not there says nothing of it where the stream's probe has fallen. */
export function wasRefused({ probes }: JudgeInput): boolean {
  const refused = probes.filter(({ failures }) => failures.some(({ code }) => code === 'refused'));
  if (refused.length === 0) return false;
  const hasFallen = ({ failures }: ProbeRecord) =>
    failures.some(({ code }) => failureReasons[code].befell !== undefined);
  const fallen = new Set(probes.filter(hasFallen).map(({ participant: { id } }) => id));
  return refused.some((probe) => !takesFrom(probe, fallen));
}

/** Whether anything it receives is of one of these participants. */
export function takesFrom({ participant: { legs } }: ProbeRecord, ids: ReadonlySet<string>): boolean {
  return legs.flatMap((leg) => sourcesOf(leg)).some((from) => 'participant' in from && ids.has(from.participant));
}

function worded(failure: ProbeFailure): Pick<Reason, 'code' | 'text'> {
  const { code, phrase } = failureReasons[failure.code];
  const missing = failure.missing?.length ? ` (missing: ${failure.missing.join(', ')})` : '';
  return { code, text: `${failure.probe} ${phrase}: ${failure.detail.replace(/\.$/, '')}${missing}.` };
}

export interface Judgement {
  readonly reasons: readonly Reason[];
  readonly thresholds: readonly ThresholdResult[];
  readonly unmeasured: readonly Reason[];
}

/** Time to join, for each probe, and time to the first frame once its sources had started, over all of them. */
export function judgeJoinTimes(input: JudgeInput): Judgement {
  const up = input.probes.filter((probe) => probe.up);
  const receiving = up.filter((probe) => probe.participant.legs.some((leg) => leg.receives.length > 0));
  const joins = timesOf(up, ({ join }) => join.dtlsConnectedMs ?? join.iceConnectedMs);
  const firsts = timesOf(receiving, ({ join }) => firstFrameWaitMs(join));
  const { probes: waiting, limit: firstLimit } = firstFrameRule(receiving, input);
  const waits = timesOf(waiting, ({ join }) => firstFrameWaitMs(join));
  const { joinMsMax } = input.thresholds;
  const late = judgeJoins(joins.times, joinMsMax);
  const first = judgeFirstFrames(waits.times, firstLimit);
  const thresholds = [
    joinThreshold(joinLimit({ time: 'time', statistic: 'max' }, 'join-late', joinMsMax), joins, late.length === 0),
    joinThreshold(joinLimit({ time: 'firstFrame', statistic: 'p95' }, 'first-frame-late', firstLimit), waits, !first),
  ];
  const answers = timesOf(up, ({ join }) => join.answerMs);
  const own = judgeOwnJoinRules(input, { time: joins, firstFrame: firsts, answer: answers });
  const named = receiving.length > 0 || up.length === 0 ? thresholds : thresholds.slice(0, 1);
  return {
    reasons: [...late, ...(first ? [first] : []), ...own.reasons],
    thresholds: [...named, ...own.thresholds],
    unmeasured: [
      ...unmeasured(joins.missing, 'time to join'),
      ...unmeasured(firsts.missing, 'time to the first frame'),
    ],
  };
}

/**
 * Whose first frames are timed, and by which limit. How long a key frame takes over an impaired link, and how often it
 * is lost there, is not the server's doing: such participants may take as long as joining may, after which they count
 * as without media.
 */
function firstFrameRule(receiving: readonly ProbeRecord[], { thresholds, networks = [] }: JudgeInput) {
  const impaired = new Set(networks.filter((network) => !isCleanNetwork(network)).map(({ name }) => name));
  const seesBadLink = ({ participant: { network, legs } }: ProbeRecord) =>
    [network, ...legs.flatMap((leg) => sourcesOf(leg)).map((from) => sourceNetwork('receive', from, network))].some(
      (name) => name !== undefined && impaired.has(name),
    );
  const others = receiving.filter((probe) => !seesBadLink(probe));
  const { joinMsMax, firstFrameP95MsMax } = thresholds;
  if (others.length > 0 || receiving.length === 0) return { probes: others, limit: firstFrameP95MsMax };
  return { probes: receiving, limit: Math.max(joinMsMax, firstFrameP95MsMax) };
}

/** In no order: asked for often while a trial of thousands may be decided, and only the worst counts. */
function timesOf(probes: readonly ProbeRecord[], read: (probe: ProbeRecord) => number | undefined): JoinTimesOf {
  const times: TimedProbe[] = [];
  const missing: ProbeRecord[] = [];
  for (const probe of probes) {
    const ms = read(probe);
    if (ms === undefined) missing.push(probe);
    else times.push({ probe, ms });
  }
  return { times, slowest: slowestOf(times), missing };
}

function slowestOf(times: readonly TimedProbe[]): TimedProbe | undefined {
  return times.reduce<TimedProbe | undefined>(
    (slowest, one) => (slowest && slowerFirst(slowest, one) <= 0 ? slowest : one),
    undefined,
  );
}

function judgeJoins(times: readonly TimedProbe[], limit: number): Reason[] {
  return times
    .filter(({ ms }) => ms > limit)
    .sort(slowerFirst)
    .map(({ probe, ms }) => ({
      code: 'join-late',
      probe: probe.participant.id,
      session: probe.participant.session,
      text: `${probe.participant.id} joined after ${secondsNear(ms, limit)} s (limit ${limit / 1000} s).`,
      measured: ms,
      limit,
      unit: 'ms',
    }));
}

function judgeFirstFrames(times: readonly TimedProbe[], limit: number): Reason | undefined {
  const p95 = p95Of(times);
  if (!p95 || p95.ms <= limit) return undefined;
  const late = times.filter(({ ms }) => ms > limit).length;
  const { id, session } = p95.probe.participant;
  return {
    code: 'first-frame-late',
    probe: id,
    session,
    text: `${id} saw its first frame after ${secondsNear(p95.ms, limit)} s, the p95 of all (limit ${limit / 1000} s); ${plural(late, 'probe')} of ${times.length} took longer than the limit.`,
    measured: p95.ms,
    limit,
    unit: 'ms',
  };
}

function p95Of(times: readonly TimedProbe[]): TimedProbe | undefined {
  const p95 = percentile(
    times.map(({ ms }) => ms),
    95,
  );
  return slowestOf(times.filter(({ ms }) => ms === p95));
}

function joinThreshold(
  limit: ReturnType<typeof joinLimit>,
  { times, slowest, missing }: JoinTimesOf,
  within: boolean,
): ThresholdResult {
  const [silent] = missing.map((probe) => probe.participant.id).sort(compareText);
  const worst = silent !== undefined ? undefined : limit.code === 'join-late' ? slowest : p95Of(times);
  const worstProbe = silent ?? worst?.probe.participant.id;
  return limitRow(limit, worst?.ms, { worstProbe, passed: within && worst !== undefined });
}

function unmeasured(probes: readonly ProbeRecord[], what: string): Reason[] {
  return probes.map(({ participant: { id, session } }) => ({
    code: 'samples-missing',
    probe: id,
    session,
    text: `The ${what} of ${id} could not be measured.`,
  }));
}

function secondsNear(ms: number, limitMs: number): string {
  return numberNear(ms / 1000, limitMs / 1000);
}
