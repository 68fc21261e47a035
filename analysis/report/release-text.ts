import type { ExpectationMet } from '../compare/expectations.js';
import { areChosen, type CheckedMark, type ReleaseCheck } from '../compare/release-check.js';
import { releaseMarks } from '../compare/release-marks.js';
import { quantity } from '../wording/quantity.js';
import { numberNear, plural } from '../wording/wording.js';
import { type Case, suitesXml } from './junit.js';
import { wrap } from './layout.js';
import { table } from './markdown-table.js';
import { neededText } from './run-order-text.js';

/** Runs against those of a tag, and against what was expected of them. */
export interface ReleaseReport {
  readonly runs: readonly string[];
  readonly baseline?: {
    readonly tag: string;
    readonly runs: readonly string[];
    /** Of runs with the tag: why they were not taken, and what else differs; whole sentences. */
    readonly cautions: readonly string[];
    readonly check: ReleaseCheck;
  };
  readonly expectations: readonly ExpectationMet[];
}

function releaseHeadline({ runs, baseline, expectations }: ReleaseReport): string {
  const failed = expectations.filter(({ kind }) => kind === 'failed').length;
  const open = expectations.filter(({ kind }) => kind === 'unknown').length;
  const expected =
    expectations.length === 0
      ? []
      : [
          failed > 0
            ? `${failed} of ${plural(expectations.length, 'expectation')} not met`
            : open > 0
              ? `${open} of ${plural(expectations.length, 'expectation')} cannot be said`
              : `${plural(expectations.length, 'expectation')} met`,
        ];
  return [...(baseline ? [checkText(runs.length, baseline)] : []), ...expected].join('; ');
}

function checkText(count: number, { tag, runs, check }: NonNullable<ReleaseReport['baseline']>): string {
  const of = `${plural(count, 'run')} against ${runs.length} of ${tag}`;
  const worse = check.marks.filter(({ verdict }) => verdict === 'worse').map(({ mark }) => releaseMarks[mark].name);
  if (check.kind === 'unknown' && areChosen(check)) return `${of}: ${withoutLimitText(check)}`;
  if (check.kind === 'unknown') return `${of}: too little to say anything at one chance of error in ${oneIn(check)}`;
  const said = worse.length > 0 ? `${of}: worse in ${worse.join(', ')}` : `${of}: nothing is shown to be worse`;
  return check.by === 'pairs' ? said : `${said}, if runs do not depend on each other`;
}

/** "2 of 7 runs have no limit now, and 0 of 7 before (baseline-unstable)"; undefined: all have one. */
function withoutLimitText({ withoutLimit: [before, after] }: ReleaseCheck): string | undefined {
  if (before.runs + after.runs === 0) return undefined;
  const why = [...new Set([...after.outcomes, ...before.outcomes])].join(', ');
  return `${after.runs} of ${plural(after.of, 'run')} have no limit now, and ${before.runs} of ${before.of} before (${why})`;
}

const oneIn = ({ chance }: ReleaseCheck) => numberNear(1 / chance);

export function releaseText(report: ReleaseReport): string {
  const { baseline, expectations } = report;
  return [
    '',
    ...wrap(`${releaseHeadline(report)}.`, 2, 80, 2),
    '',
    ...(baseline ? [...markSentences(baseline.check).flatMap((text) => wrap(text, 4, 80, 2)), ''] : []),
    ...(baseline ? wrap(chanceSentence(baseline.check), 2, 80, 2) : []),
    ...(baseline?.cautions ?? []).flatMap((text) => wrap(text, 2, 80, 2)),
    ...expectations.flatMap(({ sentences }) => sentences.flatMap((text) => wrap(text, 2, 80, 2))),
    '',
  ].join('\n');
}

export function releaseMarkdown(report: ReleaseReport): string {
  const { baseline, expectations } = report;
  const rows = (baseline?.check.marks ?? []).map((one) => {
    const [before, after] = valuesOf(one);
    return [releaseMarks[one.mark].name, before, after, `${signed(one.changePercent)} %`, atMost(one), one.verdict];
  });
  return [
    `**${releaseHeadline(report)}.**`,
    '',
    ...(baseline
      ? [
          ...table(['What', baseline.tag, 'now', 'change', 'worse by at most', 'verdict'], rows),
          '',
          chanceSentence(baseline.check),
          ...leftOutSentences(baseline.check).map((text) => `- ${text}`),
          ...baseline.cautions.map((text) => `- ${text}`),
          '',
        ]
      : []),
    ...expectations.flatMap(({ sentences }) => sentences.map((text) => `- ${text}`)),
    '',
  ].join('\n');
}

/** A case per mark and expectation. What cannot be said is skipped; a check that says nothing at all fails. */
export function releaseJunit(report: ReleaseReport): string {
  const { baseline, expectations } = report;
  const marks = (baseline?.check.marks ?? []).map((one): Case => {
    const name = releaseMarks[one.mark].name;
    const text = baseline ? markSentence(one, baseline.check) : '';
    if (one.verdict === 'worse') return { name, seconds: 0, failure: { message: text, text } };
    return one.verdict === 'too few runs' ? { name, seconds: 0, skipped: text } : { name, seconds: 0 };
  });
  const leftOut = (baseline?.check.leftOut ?? []).map(
    (mark): Case => ({ name: releaseMarks[mark].name, seconds: 0, skipped: 'It is 0 or less in some run.' }),
  );
  const text = releaseHeadline(report);
  const unsaid =
    baseline?.check.kind === 'unknown' ? [{ name: 'answer', seconds: 0, failure: { message: text, text } }] : [];
  const expected = expectations.map(({ text: name, kind, sentences }): Case => {
    const text = sentences.join('\n');
    return kind === 'met' ? { name, seconds: 0 } : { name, seconds: 0, failure: { message: text, text } };
  });
  return suitesXml(releaseHeadline(report), [
    ...(baseline ? [{ name: `loadline.baseline.${baseline.tag}`, cases: [...unsaid, ...marks, ...leftOut] }] : []),
    ...(expectations.length > 0 ? [{ name: 'loadline.expectations', cases: expected }] : []),
  ]);
}

const runsText = ({ runs: [before, after] }: CheckedMark, { by }: ReleaseCheck) =>
  by === 'pairs' ? plural(before, 'pair') : `${before} and ${after} runs`;

/** What is said of each mark, and of those that are not compared. */
export function markSentences(check: ReleaseCheck): string[] {
  return [...check.marks.map((one) => markSentence(one, check)), ...leftOutSentences(check)];
}

function leftOutSentences(check: ReleaseCheck): string[] {
  const lost = withoutLimitText(check);
  return [
    ...(lost === undefined ? [] : [`${lost}: the others alone are compared.`]),
    ...check.leftOut.map((mark) => `${releaseMarks[mark].name}: not compared, since it is 0 or less in some run.`),
  ];
}

function markSentence(one: CheckedMark, check: ReleaseCheck): string {
  const [before, after] = valuesOf(one);
  const most = one.worseByAtMostPercent === null || one.verdict === 'worse' ? '' : `, worse by ${atMost(one)} at most`;
  return `${releaseMarks[one.mark].name}: ${before} before, ${after} now (${signed(one.changePercent)} %${most}): ${one.verdict}, chance of error ${numberNear(100 * one.chance)} %, ${runsText(one, check)}.`;
}

function chanceSentence(check: ReleaseCheck): string {
  const where = check.by === 'pairs' ? 'Where nothing changed' : 'Where nothing changed and no run depends on others';
  const how = check.by === 'pairs' ? 'Neighbours in time are compared, pair by pair. ' : '';
  const said = `${how}${where}, something is called worse once in ${oneIn(check)} such comparisons at most, over all of these together.`;
  const isShort = check.by === 'pairs' && check.marks.some(({ verdict }) => verdict === 'too few runs');
  return isShort ? `${said} ${neededText(check.chance)}` : said;
}

function valuesOf({ mark, before, after }: CheckedMark): [string, string] {
  const { unit } = releaseMarks[mark];
  return [quantity(before, unit), quantity(after, unit)];
}

function atMost({ worseByAtMostPercent: most }: CheckedMark): string {
  return most === null ? '–' : `${numberNear(Math.max(0, most))} %`;
}

function signed(percent: number): string {
  return `${percent > 0 ? '+' : ''}${numberNear(percent)}`;
}
