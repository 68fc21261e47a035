import type { FinishedRun } from '../../model/finished-run.js';
import type { Plan } from '../../model/plan.js';
import { judgedBySentinels } from '../../model/players.js';
import { those } from '../../model/those.js';
import type { TrialRecord } from '../../model/trial.js';
import {
  nearestLimit,
  spreadOf,
  starvingProbes,
  talliesOf,
  type WorstThreshold,
  worstThresholds,
} from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { phaseTotals, searchCost, trialsTookMs } from '../search/search-cost.js';
import { highest } from '../statistics/statistics.js';
import { countedText, durationText, quantity, worstText } from '../wording/quantity.js';
import { numberNear, plural } from '../wording/wording.js';
import { clusterSection } from './cluster-section.js';
import { countOf, headline } from './headline.js';
import { hostSection } from './host-sentences.js';
import { left, plainStyle, right, type TextStyle, titled, wrap } from './layout.js';
import { wordsOf } from './load-words.js';
import { networkSentences } from './network-section.js';
import { nextSteps } from './next-steps.js';
import { patternSection } from './pattern-sentences.js';
import { betweenTrialsSection, repeatSentence } from './repeats-section.js';
import { ranOutSentences } from './server-sentences.js';
import { becauseText, failedSizes, sizeShown, sizesTold } from './shown-sizes.js';
import { trustSentences } from './trust-section.js';

/**
 * What a person reads at the end of a run: the answer in a sentence, the thresholds at the limit, what failed above
 * it, the spread, what ran out, how far to trust it, and where it is stored. At most 80 columns; ends in a newline.
 */
export function summary(run: FinishedRun, style: TextStyle = plainStyle): string {
  const [first = '', ...more] = wrap(headline(run), 2, 80, 2);
  const held = sizeShown(run);
  const sections = [
    [
      style.bold(first),
      ...more.map(style.bold),
      ...wrap(repeatSentence(run), 2, 80, 2),
      ...wrap(becauseText(run), 2, 80, 2),
    ],
    held === null ? [] : [...limitSection(run, held, style), ...marginLines(run, held)],
    ...failedSizes(run).map((size) => failureSection(run, size, style)),
    ...sizesTold(run).map((size) =>
      titled(`Who came at ${countOf(run, size)}`, wordsOf(run).whoCame(run, size), style),
    ),
    held === null ? [] : spreadSection(run, held, style),
    held === null ? [] : betweenTrialsSection(run, held, style),
    titled('What ran out', ranOutSentences(run, failedSizes(run)), style),
    clusterSection(run, style),
    patternSection(run, style),
    loadSection(run, style),
    titled('Network', networkSentences(run, sizesTold(run)), style),
    hostSection(run, style),
    titled('How far to trust this', trustSentences(run), style),
    nextLines(run, style),
    endLines(run),
  ];
  return `\n${sections.flatMap((lines) => (lines.length > 0 ? [...lines, ''] : [])).join('\n')}`;
}

/** CPU and memory of server and probe host at the sizes around the limit. */
function loadSection(run: FinishedRun, style: TextStyle): string[] {
  const sizes = [...new Set([run.answer.stable, ...failedSizes(run)])].filter(
    (size) => trialsAt(run.records, size).length > 0,
  );
  const sentences = sizes.flatMap((size) => {
    const loads = trialsAt(run.records, size).map((record) => record.load);
    const server = highest(loads.flatMap((load) => load.serverCoresMean ?? []));
    const memory = highest(loads.flatMap((load) => load.serverRssMbMax ?? []));
    const probes = highest(loads.flatMap((load) => load.probeCoresMean ?? []));
    const turn = highest(loads.flatMap((load) => load.turnCoresMean ?? []));
    const parts = those(
      server !== undefined && `server ${numberNear(server)} cores`,
      memory !== undefined && `server ${numberNear(memory)} MB`,
      probes !== undefined && `${playedBy(run.manifest.plan)} ${numberNear(probes)} cores`,
      turn !== undefined && `TURN server ${numberNear(turn)} cores`,
    );
    return parts.length === 0 ? [] : `${countOf(run, size)}: ${parts.join(', ')}`;
  });
  return titled('Load, the highest mean of a trial, and the most memory', sentences, style);
}

/** A command stands on a line of its own, however long it is, so that it can be copied whole. */
function nextLines(run: FinishedRun, style: TextStyle): string[] {
  const steps = nextSteps(run).flatMap(({ text, command }) => [
    ...wrap(text, 4, 80, 2),
    ...(command === undefined ? [] : [`      ${command}`]),
  ]);
  return steps.length === 0 ? [] : [style.bold('  What to do next'), ...steps];
}

function endLines(run: FinishedRun): string[] {
  const { records, runDirectory } = run;
  const tookMs = trialsTookMs(records);
  const discarded = talliesOf(records).reduce((total, tally) => total + tally.discarded, 0);
  const ofThem = discarded === 0 ? '' : `, ${discarded} of them discarded`;
  const { probeMinutes, plainProbeMinutes: plain } = searchCost(run);
  const alone = plain === undefined ? '' : `, about ${numberNear(plain)} by doubling and halving alone`;
  const cost = probeMinutes === undefined ? [] : [`  Cost   ${numberNear(probeMinutes)} probe-minutes${alone}`];
  return [
    `  Saved  ${runDirectory}`,
    ...cost,
    `  Took   ${durationText(tookMs)}, ${plural(records.length, 'trial')}${ofThem}`,
    ...phaseLines(run),
  ];
}

/** Where the time went: phases that took a second or more of a trial, in its order. */
function phaseLines({ records }: FinishedRun): string[] {
  const long = phaseTotals(records).filter(({ ms }) => ms >= 1000 * records.length);
  if (long.length === 0) return [];
  return wrap(`of it ${long.map(({ phase, ms }) => `${phase} ${durationText(ms)}`).join(', ')}`, 9, 80, 0);
}

/** What takes the CPU of the participants. */
function playedBy({ players }: Plan): string {
  if (judgedBySentinels(players)) return 'probes';
  if (players.kind !== 'signalling') return 'browsers';
  return players.sentinels === 0 ? 'this process' : 'browsers and this process';
}

const mostStarvingNamed = 4;
const labelColumns = 38;

function limitSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const trials = trialsAt(run.records, size);
  if (trials.length === 0) return [];
  const thresholds = worstThresholds(trials);
  const nearest = nearestLimit(thresholds);
  return [
    sectionHead(run, size, trials, style),
    ...thresholds.flatMap((threshold) => thresholdRows(threshold, threshold === nearest, style)),
  ];
}

function failureSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const trials = trialsAt(run.records, size);
  const unstable = trials.filter((trial) => trial.verdict.kind === 'unstable');
  if (unstable.length === 0) return [];
  const failed = worstThresholds(unstable).filter((threshold) => !threshold.passed);
  const starving = starvingProbes(unstable);
  const rest = starving.length - mostStarvingNamed;
  return [
    sectionHead(run, size, trials, style),
    ...failed.flatMap((threshold) => thresholdRows(threshold, false, style)),
    ...starving.slice(0, mostStarvingNamed).flatMap((reason) => wrap(reason.text, 6, 80, 2)),
    ...(rest > 0 ? [`      and ${plural(rest, 'other probe')} like these.`] : []),
  ];
}

function sectionHead(run: FinishedRun, size: number, trials: readonly TrialRecord[], style: TextStyle): string {
  const title = left(`  At ${countOf(run, size)}, ${plural(trials.length, 'trial')}`, 44);
  return `${style.bold(title)}${style.dim(`${left('limit', 11)}worst`)}`;
}

/** The threshold, and below it what of its value was its link's. */
function thresholdRows(threshold: WorstThreshold, isNearest: boolean, style: TextStyle): string[] {
  const counted = countedText(threshold);
  const rows = thresholdRow(threshold, isNearest, style);
  return counted === undefined ? rows : [...rows, ...wrap(counted, 8, 80, 0).map((line) => style.dim(line))];
}

/** A label that is wider than its column has a line of its own: cut, two of them would read alike. */
function thresholdRow(threshold: WorstThreshold, isNearest: boolean, style: TextStyle): string[] {
  const { worstProbe } = threshold;
  const measured = worstText(threshold);
  const at = worstProbe === undefined ? '' : ` at ${worstProbe}`;
  const mark = threshold.passed ? style.good('✓') : style.bad('✗');
  const { label, limitText } = threshold;
  const isWide = label.length >= labelColumns;
  const values = `${left(limitText, 11)}${left(measured + at, 25)}`.trimEnd();
  const shown = (text: string) => (isNearest ? style.bold(text) : text);
  if (!isWide) return [`    ${mark} ${shown(`${label.padEnd(labelColumns)}${values}`)}`];
  return [`    ${mark} ${shown(label)}`, `      ${' '.repeat(labelColumns)}${shown(values)}`];
}

/** "nearest limit: video loss, 0.7 % of 1 %". */
function marginLines(run: FinishedRun, size: number): string[] {
  const nearest = nearestLimit(worstThresholds(trialsAt(run.records, size)));
  if (!nearest || nearest.worst === null) return [];
  const used = numberNear(nearest.usedPercent ?? 0, 100);
  const measured = quantity(nearest.worst, nearest.unit, nearest.limit);
  return wrap(
    `Nearest limit: ${nearest.label}, ${measured} where ${nearest.limitText} is asked (${used} % of the way).`,
    4,
    80,
    2,
  );
}

function spreadSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const trials = trialsAt(run.records, size);
  const rows = spreadOf(trials);
  const streams = Math.max(0, ...rows.map((row) => row.streams));
  if (rows.length === 0) return [];
  const head = ['min', 'p10', 'p50', 'p90', 'max'].map((name) => right(name, 9)).join('');
  return [
    `${style.bold(left(`  ${plural(streams, 'stream')} in ${plural(trials.length, 'trial')}`, 28))}${style.dim(head)}`,
    ...rows.map((row) => {
      const label = left(`    ${row.label}${row.unit === '' ? '' : `, ${row.unit}`}`, 28);
      return label + row.values.map((value) => right(numberNear(value), 9)).join('');
    }),
  ];
}
