import type { FinishedRun } from '../../model/finished-run.js';
import { those } from '../../model/those.js';
import { nearestLimit, starvingProbes, worstThresholds } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { trialsTookMs } from '../search/search-cost.js';
import { durationText, quantity, worstText } from '../wording/quantity.js';
import { plural } from '../wording/wording.js';
import { hadText } from './had-text.js';
import { countOf, headline } from './headline.js';
import { pageColumns, plainStyle, type TextStyle, wrap } from './layout.js';
import { nextSteps } from './next-steps.js';
import { ranOutSentences } from './server-sentences.js';
import { becauseText, failedSizes, sizeShown } from './shown-sizes.js';
import { foremostTrust, trustSentences } from './trust-section.js';

/** The most lines of a terminal of 80 columns, the one that names the HTML report not counted. */
const mostLines = 14;
export const trustPoints = 3;
/** Where a label leaves less room beside it than is good to read, its sentences stand below it. */
const narrowColumns = 60;
const besideLabel = 11;

/** A label and its sentences, each with at most so many lines; a command is never broken. */
interface Entry {
  readonly label: string;
  readonly sentences: readonly string[];
  readonly command?: string;
  readonly whole?: boolean;
}

/**
 * The answer, what failed above it and for whom, what ran out, and the first points of trust, in 40 to 100 columns.
 * `summary` has the rest. The command that prints it is one to be typed where the run is named.
 */
export function shortSummary(
  run: FinishedRun,
  style: TextStyle = plainStyle,
  columns = pageColumns,
  named?: string,
): string {
  const width = Math.max(20, Math.min(columns, 100));
  const scale = Math.max(1, pageColumns / width);
  const head = wrap(headline(run), 2, width, 2).map((line) => style.bold(line));
  const entries = entriesOf(run, named);
  // The last sentences give way first: what failed is told whole where there is room.
  const sentences = entries.reduce((sum, entry) => sum + entry.sentences.length, 0);
  const inLines = (whole: number) => {
    let nth = 0;
    const each = () => {
      nth += 1;
      return Math.ceil((nth <= whole ? 2 : 1) * scale);
    };
    return [...head, '', ...entries.flatMap((entry) => entryLines(entry, { width, each, style }))];
  };
  let whole = sentences;
  while (whole > 0 && inLines(whole).length > mostLines * scale) whole -= 1;
  return `\n${inLines(whole).join('\n')}\n`;
}

function entriesOf(run: FinishedRun, named: string | undefined): readonly Entry[] {
  const trust = trustSentences(run);
  const had = hadText(run);
  const foremost = foremostTrust(run, had === '' ? trustPoints : trustPoints - 1);
  const rest = trust.length - foremost.length;
  const remarks = rest > 0 ? `, and ${plural(rest, 'more remark')}` : '';
  const because = becauseText(run);
  const limits = failedEntries(run);
  const more = `${limits.length > 0 ? 'All limits' : 'The whole answer'}${remarks}:`;
  const inFull = `loadline report ${named ?? 'RUN'} --format text`;
  return [
    { label: 'Why', sentences: because === '' ? [] : [because] },
    ...limits,
    { label: 'Had', sentences: had === '' ? [] : [had] },
    { label: 'Ran out', sentences: ranOutSentences(run, failedSizes(run)).slice(0, 1) },
    { label: 'Trust', sentences: foremost },
    ...nextSteps(run).map(({ text, command }) => ({
      label: 'Next',
      sentences: [text],
      ...(command === undefined ? {} : { command }),
    })),
    { label: 'Saved', sentences: [run.runDirectory], whole: true },
    named === undefined
      ? { label: 'More', sentences: [`${more} ${inFull}`] }
      : { label: 'More', sentences: [more], command: inFull },
  ];
}

/** What failed at the size above the answer; of a run in which nothing failed, the limit that came nearest. */
export function failedEntries(run: FinishedRun): readonly Entry[] {
  const failed = failedSizes(run);
  const size = failed.find((one) => one === run.answer.unstable) ?? failed.at(-1);
  if (size === undefined) return nearestEntry(run);
  const trials = trialsAt(run.records, size);
  const unstable = trials.filter(({ verdict }) => verdict.kind === 'unstable');
  // One with a value says more than one without.
  const [first, ...others] = worstThresholds(unstable)
    .filter(({ passed }) => !passed)
    .sort((a, b) => Number(a.worst === null) - Number(b.worst === null));
  const reasons = starvingProbes(unstable);
  const probes = reasons.filter(({ probe }) => probe !== undefined);
  // What the server itself says is told by what ran out.
  const who = probes[0] ?? reasons[0];
  const at = `${countOf(run, size)}, in ${unstable.length} of ${plural(trials.length, 'trial')}`;
  const where = first?.worstProbe === undefined ? '' : ` at ${first.worstProbe}`;
  const limit = first ? `: ${asSubject(first.label)} was ${worstText(first)}${where} (limit: ${first.limitText})` : '';
  const lower = failed.filter((one) => one < size);
  return [
    {
      label: 'Failed',
      sentences: those(
        `${at}${limit}.`,
        who && `${who.text}${inAll(probes.length, unstable[0]?.probesAsked ?? 0, others.length + 1)}`,
        lower.length > 0 && `Smaller sizes failed, too: ${lower.join(', ')}.`,
      ),
    },
  ];
}

const asSubject = (label: string) => (label.includes(',') ? `${label},` : label);

const inAll = (probes: number, of: number, limits: number) =>
  probes === 0 || (probes === 1 && limits <= 1)
    ? ''
    : ` ${probes} of ${plural(of, 'probe')} failed, by ${limits === 1 ? '1 limit' : `${limits} different limits`}.`;

function nearestEntry(run: FinishedRun): readonly Entry[] {
  const held = sizeShown(run);
  const nearest = held === null ? undefined : nearestLimit(worstThresholds(trialsAt(run.records, held)));
  if (!nearest || nearest.worst === null) return [];
  const measured = quantity(nearest.worst, nearest.unit, nearest.limit);
  return [{ label: 'Nearest', sentences: [`${nearest.label}, ${measured} where ${nearest.limitText} is asked.`] }];
}

function entryLines(
  { label, sentences, command, whole = false }: Entry,
  { width, each, style }: { width: number; each: () => number; style: TextStyle },
): string[] {
  if (sentences.length === 0) return [];
  const narrow = width < narrowColumns;
  const indent = narrow ? 4 : besideLabel;
  const lines = sentences.flatMap((sentence) => {
    const wrapped = wrap(sentence, indent, width);
    const most = each();
    return whole ? wrapped : cut(wrapped, most, width);
  });
  const more = command === undefined ? [] : [`${' '.repeat(indent)}${command}`];
  if (narrow) return [style.bold(`  ${label}`), ...lines, ...more];
  const [first = '', ...rest] = lines;
  return [`${style.bold(`  ${label}`.padEnd(indent))}${first.slice(indent)}`, ...rest, ...more];
}

/** At the end of a sentence, or with an ellipsis; no word is broken. `More` says where the rest is. */
function cut(lines: readonly string[], most: number, width: number): readonly string[] {
  if (lines.length <= most) return lines;
  const last = lines[most - 1] ?? '';
  const kept = last.length + 2 <= width ? last : last.slice(0, Math.max(last.lastIndexOf(' '), 0));
  // A sentence that ends in this line is not followed by half of the next one.
  const whole = `${kept} `.lastIndexOf('. ');
  return [...lines.slice(0, most - 1), whole < 0 ? `${kept} …` : kept.slice(0, whole + 1)];
}

/** A run in one line, for logs and chats: the answer, what it took, and where it is stored. Without a newline. */
export function runLine(run: FinishedRun): string {
  const took = `${plural(run.records.length, 'trial')} in ${durationText(trialsTookMs(run.records))}`;
  return `${headline(run)} (${took}; ${run.runDirectory})`.replace(/\s+/g, ' ');
}
