import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import { hasBrowsers } from '../../model/players.js';
import { those } from '../../model/those.js';
import { separateFailures } from '../judge/separate-failures.js';
import { type Tally, talliesOf, trustOf, unsettledTrials, voidTrials, worstCase } from '../judge/summary.js';
import type { ServerExhaustion } from '../measure/exhaustion.js';
import { serverExhaustions } from '../measure/server-load.js';
import { backgroundText } from '../search/background.js';
import { anytimeUpperBound, provenPassProbability } from '../statistics/binomial.js';
import { numberNear, plural } from '../wording/wording.js';
import { baselineSentences } from './baseline-sentences.js';
import { browserlessSentences } from './browserless-sentences.js';
import { countOf, percentShown, triedTrial } from './headline.js';
import { lateStartSentences } from './host-sentences.js';
import { kindSentences } from './kind-sentences.js';
import { layerSentences } from './layer-sentences.js';
import { wordsOf } from './load-words.js';
import { pictureSentences } from './picture-sentences.js';
import { scrapeSentences } from './scrape-sentences.js';
import { serverSentences } from './server-sentences.js';
import { failedSizes } from './shown-sizes.js';
import { soundSentences } from './sound-sentences.js';
import { earlyEndSentences, hasteSentences, scarcitySentences, steeringSentences } from './trial-ends.js';
import { rateSentences, readingSentences, recordingSentences, stimulusSentences } from './trust-sentences.js';
import { turnSentences } from './turn-sentences.js';
import { warmUpSentences } from './warm-up-sentences.js';

const mostDiscardedNamed = 3;
/** Of what repeats show, where the plan asks for none. */
const usualConfidence = 0.95;
/** A load generator should keep a fifth of its CPU to spare. */
const tiredHostPercent = 80;

export function trustSentences(run: FinishedRun): string[] {
  return [
    ...placeSentences(run),
    ...turnSentences(run),
    ...kindSentences(run),
    ...browserlessSentences(run),
    ...rateSentences(run),
    ...wordsOf(run).trustSentences(run),
    ...warmUpSentences(run),
    ...stimulusSentences(run),
    ...repeatSentences(run),
    ...hasteSentences(run),
    ...backgroundSentences(run),
    ...lingeringSentences(run),
    ...pictureSentences(run),
    ...layerSentences(run),
    ...soundSentences(run),
    ...discardedSentences(run),
    ...disturbedSentences(run),
    ...earlyEndSentences(run),
    ...steeringSentences(run),
    ...sampleSentences(run),
    ...lateStartSentences(run),
    ...readingSentences(run),
    ...scarcitySentences(run),
    ...scrapeSentences(run),
    ...baselineSentences(run),
    ...settlingSentences(run),
    ...serverSentences(run),
    ...recordingSentences(run),
  ];
}

/** Most important first: passes that do not count, warnings, what was discarded, whose machine, how often it held. */
export function foremostTrust(run: FinishedRun, most: number): string[] {
  const all = trustSentences(run);
  const first = [
    ...disturbedSentences(run),
    ...hasteSentences(run),
    ...all.filter((sentence) => sentence.startsWith('Warning: ')),
    ...(voidTrials(run.records).length === 0 ? [] : discardedSentences(run)),
    ...placeSentences(run).slice(0, 1),
    ...repeatSentences(run).slice(0, 1),
    ...discardedSentences(run),
    ...sampleSentences(run),
  ];
  return [...new Set([...first, ...all])].slice(0, most);
}

/** What a server is given for itself: where that ran out, more cores for both would not have carried more. */
const serversOwn: Readonly<Partial<Record<ServerExhaustion['what'], string>>> = {
  cpu: 'share of the CPU',
  'cpu-quota': 'share of the CPU',
  memory: 'memory',
  'up-link': 'up-link',
};

function placeSentences(run: FinishedRun): string[] {
  const { server, host } = run.manifest;
  const ranOut = server.sameHost ? serverExhaustions(run, failedSizes(run)) : [];
  const own = [...new Set(ranOut.map(({ what }) => serversOwn[what]))];
  const isOwn = own.length > 0 && own.every((one) => one !== undefined);
  const { probeCores } = trustOf(run.records);
  const machine = `this machine of ${host.cores} cores${probeCores === undefined ? '' : ` (${probeCores} of them for the probes)`}`;
  const text = isOwn
    ? `What ran out is the server's own ${own.join(' and ')}, not ${machine}. Server and probes share it.`
    : `Server and probes share ${machine}: the limit is the machine's, not the server's alone.`;
  const shared = server.sameHost ? [text] : [];
  if (server.nature === 'simulated') return ['The samples are simulated: no media server and no browser took part.'];
  const { cores, upLinkBps } = givenTo(server);
  const mixers = server.cpuLimitCores === undefined ? '' : ', its mixers included';
  const forTrying = `The ${server.kind} server is for trying the tool: its limit says nothing about other servers.`;
  return those(
    ...shared,
    server.nature === 'for-trying' && forTrying,
    upLinkBps !== undefined && `It was given an up-link of ${numberNear(upLinkBps / 1e6)} Mbit/s.`,
    cores !== undefined && `It was given ${numberNear(cores)} cores of CPU${mixers}.`,
  );
}

/** Trials that failed, and that the search took for none of their size. */
function backgroundSentences({ answer: { background, stable } }: FinishedRun): string[] {
  if (!background) return [];
  const { trials } = background;
  const were = trials === 1 ? '1 unstable trial was' : `${trials} unstable trials were`;
  return [`${backgroundText(background, stable)} ${were} taken for none of the size.`];
}

/** Sizes that an overload before them made fail. */
function lingeringSentences({ answer: { lingers = [] } }: FinishedRun): string[] {
  if (lingers.length === 0) return [];
  const sizes = lingers.length > 3 ? `sizes from ${lingers[0]} to ${lingers.at(-1)}` : lingers.join(', ');
  return [
    `Warning: an overload lingers. Right after a trial that failed, ${sizes} failed, too; after one that passed, they passed.`,
  ];
}

function repeatSentences(run: FinishedRun): string[] {
  const { stable, unstable, flaky, failedBelow = [] } = run.answer;
  const tallies = new Map(talliesOf(run.records).map((tally) => [tally.size, tally]));
  const sizes = [...new Set([stable, ...flaky, ...failedBelow, ...(unstable === null ? [] : [unstable])])];
  return sizes.flatMap((size) => {
    const tally = tallies.get(size);
    return tally && tally.judged > 0 ? tallySentence(run, tally) : [];
  });
}

function tallySentence(run: FinishedRun, tally: Tally): string {
  const what = countOf(run, tally.size);
  const confidenceAsked = run.manifest.plan.search.confidence;
  const confidence = confidenceAsked ?? usualConfidence;
  if (tally.stable === 0) return `${what}: unstable in ${failuresText(run, tally, confidence)}`;
  const worst = worstCase(tally);
  const counted = worst === undefined ? '' : ` Counting discarded failures as failures, it is ${worst}.`;
  const share = percentShown(tally.stable, tally.judged, confidence);
  const more =
    tally.size === run.answer.stable &&
    !triedTrial(run) &&
    share < 100 * provenPassProbability &&
    confidenceAsked === undefined
      ? ` --confidence 0.9 makes as many trials as show ${100 * provenPassProbability} %.`
      : '';
  return `${what}: stable in ${tally.stable} of ${plural(tally.judged, 'trial')}. If trials are independent, it is stable at least ${share} % of the time (${sureText(confidence)}).${counted}${more}`;
}

/** Failures in a row show no more than one does: whatever lasted over them may have failed them all. */
function failuresText(run: FinishedRun, { size, judged }: Tally, confidence: number): string {
  const often = `${judged} of ${plural(judged, 'trial')}`;
  const trials = run.records
    .filter(({ drill }) => !drill)
    .map((record) => ({ size: record.size, verdict: record.verdict.kind }));
  const separate = separateFailures(trials, size);
  if (separate < 2)
    return `${often}${judged > 1 ? ', with nothing stable between them' : ''}. A bad spell would explain that, too.`;
  const row = separate < judged ? ' but for failures in a row' : '';
  const most = Math.ceil(100 * anytimeUpperBound(0, separate, confidence) - 1e-9);
  return `${often}. If trials are independent${row}, it is stable at most ${most} % of the time (${sureText(confidence)}).`;
}

function sureText(confidence: number): string {
  return `${numberNear(100 * confidence)} % confidence`;
}

function discardedSentences(run: FinishedRun): string[] {
  const trials = voidTrials(run.records);
  if (trials.length === 0) return ['No trial was discarded.'];
  const named = trials.slice(0, mostDiscardedNamed).map((trial) => {
    const why = trial.verdict.reasons[0]?.text ?? 'No reason was recorded.';
    return `Discarded: trial ${trial.index} (${countOf(run, trial.size)}). ${why}`;
  });
  const rest = trials.length - named.length;
  return rest > 0 ? [...named, `Discarded as well: ${plural(rest, 'other trial')}.`] : named;
}

/** Passes that a search does not count, since failures beside them would have been discarded. */
function disturbedSentences(run: FinishedRun): string[] {
  const trials = run.records.filter(({ verdict, drill }) => verdict.disturbedBy && !drill);
  if (trials.length === 0) return [];
  const [first] = trials;
  const why = first?.verdict.disturbedBy?.[0]?.text ?? '';
  return [
    `${trials.length === 1 ? '1 pass confirms' : `${trials.length} passes confirm`} nothing: the probe side was disturbed, and a failure would have been discarded. The first is trial ${first?.index} (${countOf(run, first?.size ?? 0)}). ${why}`,
  ];
}

function sampleSentences({ manifest, records, samplesAbsent = [] }: FinishedRun): string[] {
  if (!hasBrowsers(manifest.plan.players)) {
    return hostSentences(records);
  }
  if (samplesAbsent.length > 0) return absentSentences(samplesAbsent.length, records);
  const { samplesExpected, samplesGot, lateMsMax } = trustOf(records);
  if (samplesExpected === 0) return ['No samples were taken in a judged trial.'];
  const late = lateMsMax === undefined ? '' : `, the latest ${numberNear(lateMsMax)} ms late`;
  const samples = `Samples: ${numberNear((100 * samplesGot) / samplesExpected, 100)} % of ${samplesExpected} arrived${late}.`;
  return [samples, ...hostSentences(records)];
}

/** What the records say of samples that are gone cannot be held against them any more. */
function absentSentences(absent: number, records: FinishedRun['records']): string[] {
  return [
    `Samples: those of ${absent} of ${plural(records.length, 'trial')} are stored no more; its verdicts and figures were made while they were, and cannot be checked.`,
    ...hostSentences(records),
  ];
}

function hostSentences(records: FinishedRun['records']): string[] {
  const { hostBusyPercentMean: mean, hostBusyPercentMax: most, probeCores } = trustOf(records);
  if (mean === undefined) return ['The CPU of the probe host could not be read.'];
  const whose =
    probeCores === undefined ? 'CPU' : `CPU of the ${plural(probeCores, 'core')} that its probes may run on`;
  const peak = most === undefined ? '' : `, ${numberNear(most)} % in the worst second of any`;
  const sentence = `Probe host: ${numberNear(mean)} % ${whose} in its busiest judged trial${peak}.`;
  if (mean < tiredHostPercent) return [sentence];
  return [sentence, 'Warning: the probe host had little CPU to spare, so the server may hold more than was found.'];
}

function settlingSentences(run: FinishedRun): string[] {
  const trials = unsettledTrials(run);
  if (trials.length === 0) return [];
  const bound = run.manifest.plan.timing.settleMs / 1000;
  return [
    `Warning: in ${plural(trials.length, 'judged trial')} rates were still moving after ${bound} s of settling. A longer --settle waits for them.`,
  ];
}
