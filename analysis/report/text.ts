import { numberNear, plural } from '../judge/wording.js';
import type { FinishedRun } from '../result.js';
import { talliesOf, trialsAt } from '../summary.js';
import { countOf, headline, triedTrial } from './headline.js';
import { wrap } from './layout.js';
import { durationText } from './quantity.js';
import { betweenTrialsSection, repeatLines } from './repeats-section.js';
import { failureSection, limitSection, marginLines, spreadSection } from './sections.js';
import { ranOutSection } from './server-sentences.js';
import { plainStyle, type TextStyle } from './style.js';
import { trustSection } from './trust-section.js';

export { plainStyle, type TextStyle } from './style.js';
export { trialLine, trialRow, trialRowHeader } from './trial-line.js';

/**
 * What a person reads at the end of a run: the answer in a sentence, the thresholds at the limit, what failed above
 * it, the spread, what ran out, how far to trust it, and where it is stored. At most 80 columns; ends in a newline.
 */
export function summary(run: FinishedRun, style: TextStyle = plainStyle): string {
  const [first = '', ...more] = wrap(headline(run), 2, 80, 2);
  const held = sizeShown(run);
  const sections = [
    [style.bold(first), ...more.map(style.bold), ...repeatLines(run), ...wrap(because(run), 2, 80, 2)],
    held === null ? [] : [...limitSection(run, held, style), ...marginLines(run, held)],
    ...failedSizes(run).map((size) => failureSection(run, size, style)),
    held === null ? [] : spreadSection(run, held, style),
    held === null ? [] : betweenTrialsSection(run, held, style),
    ranOutSection(run, failedSizes(run), style),
    loadSection(run, style),
    trustSection(run, style),
    endLines(run),
  ];
  return `\n${sections.flatMap((lines) => (lines.length > 0 ? [...lines, ''] : [])).join('\n')}`;
}

/** The size whose thresholds are shown: the limit, or for a single size that was tried, that one when it passed. */
function sizeShown(run: FinishedRun): number | null {
  const tried = triedTrial(run);
  if (tried) return tried.verdict.kind === 'stable' ? tried.size : null;
  return run.answer.stable > 0 ? run.answer.stable : null;
}

/** The smallest size that failed, and flaky ones below it: where the reasons are. */
function failedSizes(run: FinishedRun): number[] {
  const { answer, records } = run;
  const unstable = records.filter((record) => record.verdict.kind === 'unstable').map((record) => record.size);
  const asked = new Set([...answer.flaky, ...(answer.unstable === null ? [] : [answer.unstable])]);
  const tried = triedTrial(run);
  if (tried) asked.add(tried.size);
  return [...new Set(unstable)].filter((size) => asked.has(size)).sort((a, b) => a - b);
}

/** The search's own last word, where the sections below do not say the same. */
function because(run: FinishedRun): string {
  const { outcome, because: said, cutShort } = run.answer;
  return outcome === 'void' || (outcome === 'found' && !cutShort) || triedTrial(run) ? '' : said;
}

/** CPU and memory of server and probe host at the sizes around the limit. */
function loadSection(run: FinishedRun, style: TextStyle): string[] {
  const sizes = [...new Set([run.answer.stable, ...failedSizes(run)])].filter(
    (size) => trialsAt(run.records, size).length > 0,
  );
  const lines = sizes.flatMap((size) => {
    const loads = trialsAt(run.records, size).map((record) => record.load);
    const highest = (values: readonly number[]) => (values.length === 0 ? undefined : Math.max(...values));
    const server = highest(loads.flatMap((load) => load.serverCoresMean ?? []));
    const memory = highest(loads.flatMap((load) => load.serverRssMbMax ?? []));
    const probes = highest(loads.flatMap((load) => load.probeCoresMean ?? []));
    const parts = [
      ...(server === undefined ? [] : [`server ${numberNear(server)} cores`]),
      ...(memory === undefined ? [] : [`server ${numberNear(memory)} MB`]),
      ...(probes === undefined ? [] : [`browsers ${numberNear(probes)} cores`]),
    ];
    return parts.length === 0 ? [] : wrap(`${countOf(run, size)}: ${parts.join(', ')}`, 4, 80, 2);
  });
  return lines.length === 0 ? [] : [style.bold('  Load, the highest mean of a trial'), ...lines];
}

function endLines({ records, runDirectory }: FinishedRun): string[] {
  const [first] = records;
  const last = records.at(-1);
  const tookMs = first && last ? last.endedAtMs - first.startedAtMs : 0;
  const discarded = talliesOf(records).reduce((total, tally) => total + tally.discarded, 0);
  const ofThem = discarded === 0 ? '' : `, ${discarded} of them discarded`;
  return [`  Saved  ${runDirectory}`, `  Took   ${durationText(tookMs)}, ${plural(records.length, 'trial')}${ofThem}`];
}
