import { atOnce, type InSteps, mostInStep } from '../../model/in-steps.js';
import type { Reason, ThresholdResult, Verdict, VerdictKind } from '../../model/verdict.js';
import type { MeasuredWindow } from '../measure/window.js';
import { worstFirst } from '../wording/wording.js';
import { judgeAppLimits } from './app-limits.js';
import { tolerate } from './bad-probes.js';
import { hostNamer } from './by-host.js';
import { disturbed } from './disturbed.js';
import { findingDecisivePart } from './early-verdict.js';
import { crashFaults, failureReasonsOf, isNoticed, judgeJoinTimes, wasRefused } from './joining.js';
import { type JudgedLoad, type JudgeInput, measuring } from './judge-input.js';
import { withLevels } from './levels.js';
import { type ProbeFault, reasonsOf, spoilsLoad } from './probe-fault.js';
import { probeFaults } from './probe-side.js';
import { judgingArrivals } from './seen-beside-joins.js';
import { allUnconnected, kindsDisagree } from './sentinels.js';
import { serverDrops } from './server-drops.js';
import { serverErrors, serverExcess, serverLost } from './server-said.js';
import { findingBrieflyFull } from './starved-seconds.js';
import { judgingStreams } from './streams.js';

/**
 * The verdict on one trial. In this order, the first that holds decides:
 *
 * 1. Interrupted: `void`, nothing was finished.
 * 2. The server's own word: it went away, sent more than is read of one, or refused a participant. `unstable`, whatever
 *    state the probes are in: no probe can make a server say so, and a server that fails under less load than asked
 *    fails under all of it.
 * 3. The load was not applied or not measured (a crash, a starved encoder or camera, missing samples): `void`, clean or
 *    not. A stable verdict would be a lie about load that was never there; an unstable one might blame the server.
 * 4. A participant noticed something. `void` when the probe side may have done it (host out of CPU or memory, pages
 *    late; of a host that was full for few seconds only, as much as those explain), else `unstable`. A clean trial
 *    survives those: a tired probe makes things worse, never better, and 3 has shown that the load was there. But it
 *    confirms nothing (`disturbedBy`): where failures alone were discarded, repeats would pass more often than the
 *    server does. So does a failing one in which the server itself counted more dropped packets than any stream may
 *    lose: that was not the probes' doing. And a trial in which participants joined faster than the plan asks
 *    (`--pace auto`) says nothing where joining alone failed.
 * 5. Something that must be known could not be measured: `void`, for absent is never zero.
 * 6. `stable`.
 *
 * But what was decided stays decided: where a first part of the trial, with nothing amiss on the probe side, leaves no
 * rest of the window that could make it stable, the verdict of that part is the verdict. So a trial may end there
 * (`early-verdict.ts`), and what befalls the probes afterwards does not excuse the server.
 *
 * Pure, and blind to the order of probes, samples and evidence.
 *
 * @param measured the window of this input summed up, where that was done already
 */
export function judge(input: JudgeInput, measured?: MeasuredWindow): Verdict {
  return atOnce(judging(input, measured));
}

/** The same in steps, by what the trial was loaded with. */
export function judging(input: JudgeInput, known?: MeasuredWindow): InSteps<Verdict> {
  return byLoad[input.load.by](input, known);
}

const byLoad: Readonly<Record<JudgedLoad['by'], typeof judging>> = {
  sessions: judgingSessions,
  arrivals: (input, known) => judgingArrivals(input, known, judgingAll),
};

function* judgingSessions(input: JudgeInput, known?: MeasuredWindow): InSteps<Verdict> {
  const measured = known ?? (yield* measuring(input));
  const whole = yield* judgingAll(input, measured);
  if (whole.kind !== 'void' || whole.reasons.some(({ code }) => isOfWhole.has(code))) return whole;
  const part = yield* findingDecisivePart(input);
  if (!part) return whole;
  const early = yield* judgingAll(part, yield* measuring(part));
  return early.kind === 'unstable' ? early : whole;
}

function* judgingAll(input: JudgeInput, measured: MeasuredWindow | undefined): InSteps<Verdict> {
  const failures = failureReasonsOf(input.probes);
  const joins = judgeJoinTimes(input);
  const isLarge = input.probes.length > mostInStep;
  if (isLarge) yield;
  const streams = yield* judgingStreams(input, measured);
  if (isLarge) yield;
  const app = judgeAppLimits(input);
  const unmeasured = [...joins.unmeasured, ...streams.unmeasured, ...app.unmeasured];
  const [ofJoining, ofRecordings] = [[...failures.filter(isNoticed), ...joins.reasons], recordingReasons(input)];
  const seen = [...ofJoining, ...streams.reasons, ...app.reasons, ...ofRecordings];
  const { noticed, thresholds: badProbes } = tolerate(seen, input);
  const known = [
    ...crashFaults(failures),
    ...probeFaults(input, measured),
    ...nothingMeasured(input, failures),
    ...(measured ? kindsDisagree(input, measured, noticed) : []),
    ...allUnconnected(input),
  ];
  const thresholds = [...joins.thresholds, ...streams.thresholds, ...app.thresholds, ...badProbes];
  const beside = [...ofJoining, ...app.reasons, ...ofRecordings];
  const faults =
    measured && known.length === 0
      ? yield* findingBrieflyFull(input, measured, { noticed, beside, thresholds })
      : known;
  const verdict = (kind: VerdictKind, reasons: readonly Reason[]) =>
    verdictOf(kind, reasons.map(hostNamer(input, kind === 'void')), thresholds, faults);

  if (input.interrupted || failures.some(({ code }) => code === 'interrupted')) {
    return verdict('void', [{ code: 'interrupted', text: 'The trial was interrupted.' }]);
  }
  const told = [...serverLost(input.events, failures), ...serverExcess(input.events)];
  if (told.length > 0) return verdict('unstable', told);
  const drops = serverDrops(input);
  const unstable = () => verdict('unstable', [...serverErrors(input.events), ...drops, ...noticed]);
  if (wasRefused(input) && noticed.length > 0) return unstable();
  if (faults.some(({ spoils }) => spoils === 'load')) return verdict('void', reasonsOf(faults));
  const excused = faults.length > 0 && drops.length === 0;
  if (input.hurried && noticed.length > 0 && noticed.every(({ code }) => codesOfJoining.has(code))) {
    const text = `Joined faster than the plan asks, so that this says nothing: ${noticed[0]?.text ?? ''}`;
    return verdict('void', [{ code: 'hurried', text }]);
  }
  if (noticed.length > 0 && !excused) return unstable();
  if (noticed.length > 0) return { ...verdict('void', reasonsOf(faults)), discardsFailure: true };
  if (unmeasured.length > 0) return verdict('void', unmeasured);
  const stable = { ...verdict('stable', []), ...(excused ? disturbed(verdict('void', reasonsOf(faults))) : {}) };
  if (!input.steers || !measured) return stable;
  return { ...stable, thresholds: withLevels(thresholds, input, measured) };
}

function verdictOf(
  kind: VerdictKind,
  reasons: readonly Reason[],
  thresholds: readonly ThresholdResult[],
  faults: readonly ProbeFault[],
): Verdict {
  const exhausted = faults.some((fault) => fault.exhausted) && !reasons.some(isAccident);
  return {
    kind,
    reasons: worstFirst(reasons),
    thresholds,
    ...(kind === 'void' ? { probesExhausted: exhausted } : {}),
  };
}

/** No part of the trial was without these. */
const isOfWhole: ReadonlySet<Reason['code']> = new Set(['interrupted', 'media-changed']);

/**
 * What may be gone when the trial is repeated. Others who use the probe host make cameras short and pages late as well
 * as a size that is too large does, so with them there nothing proves that it was the size.
 */
const isAccident = ({ code }: Reason): boolean => code === 'interrupted' || code === 'environment';

const codesOfJoining: ReadonlySet<Reason['code']> = new Set([
  'join-failed',
  'join-late',
  'first-frame-late',
  'no-media',
]);

function nothingMeasured({ window }: JudgeInput, failures: readonly Reason[]): ProbeFault[] {
  if (window || failures.length > 0) return [];
  return [spoilsLoad({ code: 'samples-missing', text: 'The trial ended before anything was measured.' })];
}

/** A recording that is not what was sent is a fault that its owner notices, if only later. */
function recordingReasons({ recordings, probes }: JudgeInput): Reason[] {
  return (recordings?.faults ?? []).map(({ participant, detail }) => {
    const session = probes.find((probe) => probe.participant.id === participant)?.participant.session;
    return {
      code: 'recording',
      probe: participant,
      ...(session === undefined ? {} : { session }),
      text: `The recording of ${participant} ${detail}.`,
    };
  });
}
