import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import type { Answer } from '../../model/run.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { those } from '../../model/those.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import { type Tally, talliesOf, worstCase } from '../judge/summary.js';
import { isOpen, probesAt } from '../search/result.js';
import { asksForOneSize } from '../search/undecided.js';
import { anytimeLowerBound, provenPassProbability } from '../statistics/binomial.js';
import { numberNear, plural } from '../wording/wording.js';
import { wordsOf } from './load-words.js';

const steering = 'trials that confirm nothing';
const session: ScenarioUnit = { one: 'session', many: 'sessions' };

export function unitOf({ manifest }: FinishedRun): ScenarioUnit {
  return manifest.unit ?? session;
}

export function countOf(run: FinishedRun, size: number): string {
  const unit = unitOf(run);
  return `${size} ${size === 1 ? unit.one : unit.many}`;
}

/** "embedded 0.1.0": a server is named for its kind, first of all. */
export function serverName({ manifest: { server } }: FinishedRun): string {
  return server.name.startsWith(server.kind) ? server.name : `${server.kind} ${server.name}`;
}

/** What a server beside the probes had: its share of the machine, and the up-link that it was given. */
function hostText({ manifest: { server, host } }: FinishedRun): string {
  const upLink = server.egressLimitBps;
  const cores = givenTo(server).cores ?? host.cores;
  const onCores = server.sameHost ? ` on ${numberNear(cores)} ${cores === 1 ? 'core' : 'cores'}` : '';
  return upLink === undefined ? onCores : `${onCores} with an up-link of ${numberNear(upLink / 1e6)} Mbit/s`;
}

/** The answer in one sentence, and no surer than its trials are. */
export function headline(run: FinishedRun): string {
  const { answer, records } = run;
  const server = serverName(run);
  const tried = triedTrial(run);
  if (tried) return triedSentence(run, tried);
  const probes = probesAt(records, answer.stable);
  const on = hostText(run);
  const carried = `${countOf(run, answer.stable)} (${wordsOf(run).playersText(run, answer.stable, probes)})${on}${howOften(run)}`;
  const { failedBelow = [] } = answer;
  const except = failedBelow.length === 0 ? '' : `, though ${failedBelow.join(', ')} failed`;
  switch (answer.outcome) {
    case 'found':
      if (answer.unstable === null) return `${server} holds at least ${carried}; ${whyNoMore(answer)}.`;
      return isInterval(run) ? intervalSentence(run, on) : `${server} holds ${carried}${except}.`;
    case 'probe-limited':
      return `${server} holds at least ${carried}; then the probes ran out: ${whatRanOut(records)}`;
    case 'reached-max':
      return `${server} holds at least ${carried}, the largest size ${answer.cutShort ? 'that was tried before the search was cut short' : 'asked for'}.`;
    case 'baseline-unstable':
      return baselineSentence(run);
    case 'drifting':
      return `${server} got worse while it was searched, so no one size is its limit: ${driftText(run)}.`;
    case 'server-lost':
      return `${server} went away carrying ${countOf(run, answer.unstable ?? 0)}: ${answer.because}`;
    case 'never-connected':
      return `Nobody ever connected to ${server}, so nothing is known of what it holds: ${answer.because}`;
    case 'void':
      return `Nothing can be said of ${server}: ${answer.because}`;
  }
}

/** In the same breath: how often it was tried, and what that shows where the plan asked to be sure. */
function howOften(run: FinishedRun): string {
  const tally = tallyAt(run, run.answer.stable);
  const { stable, judged } = tally;
  if (judged === 0) return `, in ${steering}`;
  const { atLimit = 0, above, mayRise } = run.answer.background ?? {};
  if (above && atLimit > 0)
    return `, in ${stable + atLimit} of ${judged} trials, ${atLimit} of them with a background: ${above.by} of ${above.of} participants noticed something${mayRise ? ', too few to tell whether that rises with the size' : ''}${worstCaseText(tally)}`;
  const often = `${judged === 1 ? ', by one trial' : `, in ${stable} of ${judged} trials`}${worstCaseText(tally)}`;
  const { confidence } = run.manifest.plan.search;
  if (confidence === undefined) return often;
  const asked = 100 * provenPassProbability;
  const shown = percentShown(stable, judged, confidence);
  const least = `: at least ${shown} % of the time, at ${numberNear(100 * confidence)} % confidence`;
  return `${often}${least}${shown < asked ? `, where ${asked} % were asked for` : ''}`;
}

/** Of failures that were discarded because the probe side may have done them; nothing where there are none. */
export function worstCaseText(tally: Partial<Tally>): string {
  const worst = worstCase(tally);
  return worst === undefined ? '' : ` (${worst} if discarded failures count)`;
}

/** What so many passes show, rounded down: never more than they do. */
export function percentShown(passes: number, trials: number, confidence: number): number {
  return Math.floor(100 * anytimeLowerBound(passes, trials, confidence) + 1e-9);
}

/** Where the sizes between were not tried as often as a limit needs, the answer is all of them. */
export function isInterval(run: FinishedRun): boolean {
  const { outcome, stable, unstable, cutShort } = run.answer;
  if (outcome !== 'found' || unstable === null) return false;
  const isOfList = run.manifest.plan.search.strategy === 'fixed' && unstable > stable + 1;
  return cutShort === true || isOfList || isOpen(run);
}

/** "192 to 255": from the size that held to the last before the one that did not. */
export function intervalText({ stable, unstable }: Pick<Answer, 'stable' | 'unstable'>): string {
  return unstable === null || unstable <= stable + 1 ? String(stable) : `${stable} to ${unstable - 1}`;
}

function intervalSentence(run: FinishedRun, on: string): string {
  const { answer, manifest } = run;
  const { stable, unstable } = answer;
  const trials = [stable, ...(unstable === null ? [] : [unstable])].map((size) => tallyAt(run, size));
  const often = trials.every(({ judged }) => judged === 1)
    ? `by ${trials.length === 1 ? 'one trial' : 'one trial each'}`
    : trials.map(oftenStable).join(', ');
  const isOne = unstable === null || unstable <= stable + 1;
  const held = isOne ? countOf(run, stable) : `${intervalText({ stable, unstable })} ${unitOf(run).many}`;
  const limit = `the limit of ${serverName(run)} is ${held}${on}`;
  const isOfList = manifest.plan.search.strategy === 'fixed';
  const whys = those(answer.cutShort && 'the search was cut short', (!answer.cutShort || isOfList) && betweenText(run));
  const sentence = `${limit}, ${often}; ${whys.join(', and ')}.`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

function oftenStable({ size, stable, judged }: Pick<Tally, 'size' | 'stable' | 'judged'>): string {
  return judged === 0 ? `${size} stable in ${steering}` : `${size} stable in ${stable} of ${judged}`;
}

/** What was seen of the sizes that the limit may be. */
function betweenText({ answer: { stable, unstable }, records }: FinishedRun): string {
  const between = talliesOf(records).filter(
    ({ size, judged }) => size > stable && size < (unstable ?? 0) && judged > 0,
  );
  if (between.length === 0) return 'no size between was tried';
  const tried = between.map(({ size, stable: passes, judged }) => `${size}, stable in ${passes} of ${judged}`);
  return `of those between only ${tried.join('; ')} ${between.length === 1 ? 'was' : 'were'} tried`;
}

/** Of a search that found no size that fails. */
function whyNoMore({ cutShort }: Answer): string {
  return cutShort ? 'the search was cut short' : 'a metric came near its limit, so nothing larger was tried';
}

/** One failure of the smallest size may be bad luck, and is told as what it is. */
function baselineSentence(run: FinishedRun): string {
  const size = run.answer.unstable ?? 1;
  const seen = `${recordText(run, size)} stable`;
  if (run.answer.cutShort !== true) return `${serverName(run)} does not hold even ${countOf(run, size)}: ${seen}.`;
  return `${serverName(run)}, ${countOf(run, size)}, the smallest size: ${seen}; the search was cut short.`;
}

function driftText(run: FinishedRun): string {
  const { fresh, end } = run.answer.drift ?? {};
  const again = fresh?.failedAgain === undefined ? '' : ` and no more in trial ${fresh.failedAgain}`;
  const then = fresh ? [`fresh it held ${countOf(run, fresh.size)} (trial ${fresh.trial})${again}`] : [];
  return [...then, end ? `at the end ${end.size}` : 'at the end none of the sizes that were tried'].join(', ');
}

function tallyAt(
  { records }: FinishedRun,
  size: number,
): Pick<Tally, 'size' | 'stable' | 'judged' | 'discardedFailures'> {
  return talliesOf(records).find((tally) => tally.size === size) ?? { size, stable: 0, judged: 0 };
}

function recordText(run: FinishedRun, size: number): string {
  const { stable, judged } = tallyAt(run, size);
  return `${stable} of ${plural(judged, 'trial')} ${judged === 1 ? 'was' : 'were'}`;
}

/** The last trial of a run that tried one given size, instead of searching; a drill comes after it. */
export function triedTrial({ records, manifest }: FinishedRun): TrialRecord | undefined {
  const { search } = manifest.plan;
  const last = records.findLast(({ drill }) => !drill);
  const isTried = (last?.size === search.max && last.verdict.kind === 'stable') || records.some(isOfGivenSize);
  return asksForOneSize(manifest.command) && isTried ? last : undefined;
}

const isOfGivenSize = ({ why }: TrialRecord): boolean => why === 'fixed';

function triedSentence(run: FinishedRun, record: TrialRecord): string {
  const what = `${serverName(run)}, ${countOf(run, record.size)} (${wordsOf(run).playersText(run, record.size, record.probesAsked)})`;
  if (record.verdict.kind === 'stable') return `${what}: stable, in one trial${triedDoubt(run, record)}.`;
  const first = record.verdict.reasons[0]?.text ?? '';
  if (record.verdict.kind === 'void') return `${what}: void. ${first}`;
  return `${what}: unstable, in one trial.${run.answer.outcome === 'server-lost' ? ` ${first}` : ''}`;
}

/** A pass that a search would not have counted, and failures that were discarded before it. */
function triedDoubt(run: FinishedRun, { size, verdict }: TrialRecord): string {
  const { discardedFailures = 0 } = tallyAt(run, size);
  const [fault] = verdict.disturbedBy ?? [];
  const before = discardedFailures === 0 ? '' : `, after ${plural(discardedFailures, 'discarded failure')}`;
  return fault
    ? `${before}; it confirms nothing, for the probe side was disturbed: ${fault.text.replace(/\.$/, '')}`
    : before;
}

/** The first words of the probe side about the smallest size that it could not carry. */
function whatRanOut(records: readonly TrialRecord[]): string {
  const trials = records
    .filter(({ verdict, drill }) => !drill && (verdict.kind === 'void' || verdict.disturbedBy))
    .sort((a, b) => a.size - b.size);
  const trial = trials.find((record) => record.verdict.probesExhausted) ?? trials[0];
  const reason: Reason | undefined = trial?.verdict.reasons[0] ?? trial?.verdict.disturbedBy?.[0];
  return reason ? `${reason.text.charAt(0).toLowerCase()}${reason.text.slice(1)}` : 'nothing says of what.';
}
