import type { FinishedRun } from '../../model/finished-run.js';
import type { Plan } from '../../model/plan.js';
import { talliesOf } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { phaseTotals, searchCost } from '../search/search-cost.js';
import { highest } from '../statistics/statistics.js';
import { durationText } from '../wording/quantity.js';
import { numberNear, plural } from '../wording/wording.js';
import { arrivalsSentences } from './arrivals-section.js';
import { clusterSection } from './cluster-section.js';
import { countOf, headline } from './headline.js';
import { hostSection } from './host-sentences.js';
import { titled, wrap } from './layout.js';
import { networkSentences } from './network-section.js';
import { nextSteps } from './next-steps.js';
import { patternSection } from './pattern-sentences.js';
import { betweenTrialsSection, repeatSentence } from './repeats-section.js';
import { failureSection, limitSection, marginLines, spreadSection } from './sections.js';
import { ranOutSentences } from './server-sentences.js';
import { becauseText, failedSizes, sizeShown, sizesTold } from './shown-sizes.js';
import { plainStyle, type TextStyle } from './style.js';
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
    ...sizesTold(run).map((size) => titled(`Who came at ${countOf(run, size)}`, arrivalsSentences(run, size), style)),
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
    const parts = [
      ...(server === undefined ? [] : [`server ${numberNear(server)} cores`]),
      ...(memory === undefined ? [] : [`server ${numberNear(memory)} MB`]),
      ...(probes === undefined ? [] : [`${playedBy(run.manifest.plan)} ${numberNear(probes)} cores`]),
      ...(turn === undefined ? [] : [`TURN server ${numberNear(turn)} cores`]),
    ];
    return parts.length === 0 ? [] : `${countOf(run, size)}: ${parts.join(', ')}`;
  });
  return titled('Load, the highest mean of a trial', sentences, style);
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
  const [first] = records;
  const last = records.at(-1);
  const tookMs = first && last ? last.endedAtMs - first.startedAtMs : 0;
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
  if (players.kind !== 'signalling') return 'browsers';
  return players.sentinels === 0 ? 'this process' : 'browsers and this process';
}
