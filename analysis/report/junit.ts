import type { FinishedRun, Requirement } from '../../model/finished-run.js';
import { namesNoLimit } from '../../model/run.js';
import { starvingProbes, type WorstThreshold } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { trialsTookMs } from '../search/search-cost.js';
import { countedText, worstText } from '../wording/quantity.js';
import { type SizeOutcome, sizeOutcomes } from './document.js';
import { countOf, headline } from './headline.js';
import { escapeMarkup } from './xml.js';

/** A case of JUnit: passed, unless it failed or was skipped. */
export interface Case {
  readonly name: string;
  readonly seconds: number;
  readonly failure?: { readonly message: string; readonly text: string };
  readonly skipped?: string;
  /** What a case that passed rests on. */
  readonly output?: string;
}

const mostReasons = 20;

/**
 * JUnit XML, as build servers read it: a suite for each size, in it a case for each limit, and one for the verdict,
 * which fails where something beside the limits did (a refused join, a lost server). A size whose trials were all void
 * is skipped. A size that had to be held is the first case. Above it what passed is as always, for it speaks for the
 * size asked; what failed there was not asked, and is skipped. Where the size is held, no case fails: exit code 0.
 */
export function junit(run: FinishedRun, required?: Requirement): string {
  const name = `loadline.${run.manifest.plan.scenario}`;
  const asRequired = (one: Case) => (required?.answer === 'yes' ? excused(one) : one);
  const sizes = sizeOutcomes(run).map((size) => ({
    name: `${name}.${countOf(run, size.size)}`,
    cases: required && isBeyond(size, required) ? [aboveCase(run, required)] : casesOf(run, size).map(asRequired),
  }));
  const first = required ? [{ name: `${name}.required`, cases: [requiredCase(run, required)] }] : [];
  const suites = [...first, ...(required?.answer === 'yes' ? [] : unansweredSuite(run)), ...sizes];
  return suitesXml(headline(run), suites);
}

export function suitesXml(
  title: string,
  suites: readonly { readonly name: string; readonly cases: readonly Case[] }[],
): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeMarkup(title)}" ${counts(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escapeMarkup(name)}" ${counts(cases)}>`,
      ...cases.map((one) => caseXml(name, one)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** A run that says nothing must not look like one in which nothing failed. */
function unansweredSuite(run: FinishedRun): { readonly name: string; readonly cases: readonly Case[] }[] {
  const { outcome, because, cutShort } = run.answer;
  const isSilent = sizeOutcomes(run).every(({ judged }) => judged === 0);
  if (!namesNoLimit(outcome) && !cutShort && !isSilent) return [];
  const failure = { message: headline(run), text: because };
  return [{ name: `loadline.${run.manifest.plan.scenario}`, cases: [{ name: 'answer', seconds: 0, failure }] }];
}

const isBeyond = ({ size, stable, judged }: SizeOutcome, required: Requirement) =>
  size > required.size && (judged === 0 || stable < judged);

/** What failed, though the size that was required is held, stands in a case that passes. */
function excused(one: Case): Case {
  const { failure, ...passed } = one;
  return failure ? { ...passed, output: `${failure.message}\n${failure.text}` } : one;
}

function requiredCase(run: FinishedRun, { size, answer, text, heldBy }: Requirement): Case {
  const name = `holds ${countOf(run, size)}`;
  if (answer !== 'yes') return { name, seconds: 0, failure: { message: text, text: headline(run) } };
  return { name, seconds: 0, ...(heldBy === undefined ? {} : { output: `held by ${heldBy}` }) };
}

function aboveCase(run: FinishedRun, { size }: Requirement): Case {
  return { name: 'verdict', seconds: 0, skipped: `above ${countOf(run, size)}, which were required` };
}

function casesOf(run: FinishedRun, outcome: SizeOutcome): Case[] {
  const { size, judged } = outcome;
  const trials = run.records.filter((record) => record.size === size);
  const seconds = trialsTookMs(trials) / 1000;
  const why = trials[0]?.verdict.reasons[0]?.text ?? 'No trial of this size was judged.';
  if (judged === 0) return [{ name: 'verdict', seconds, skipped: why }];
  return [verdictCase(run, outcome, seconds), ...outcome.thresholds.map(thresholdCase)];
}

function verdictCase(run: FinishedRun, { size, stable, judged }: SizeOutcome, seconds: number): Case {
  if (stable === judged) return { name: 'verdict', seconds };
  const reasons = starvingProbes(trialsAt(run.records, size)).map(({ text }) => text);
  const more = reasons.length > mostReasons ? [`and ${reasons.length - mostReasons} more`] : [];
  const message = `unstable in ${judged - stable} of ${judged} judged trials`;
  return {
    name: 'verdict',
    seconds,
    failure: { message, text: [...reasons.slice(0, mostReasons), ...more].join('\n') },
  };
}

function thresholdCase(threshold: WorstThreshold): Case {
  const { label, limitText, passed, worstProbe } = threshold;
  const name = `${label} ${limitText}`;
  if (passed) return { name, seconds: 0, ...(threshold.upTo === undefined ? {} : { output: worstText(threshold) }) };
  const measured = worstText(threshold);
  const counted = countedText(threshold);
  const message = `${measured}${worstProbe === undefined ? '' : ` at ${worstProbe}`}, limit ${limitText}${counted === undefined ? '' : ` (${counted})`}`;
  return { name, seconds: 0, failure: { message, text: message } };
}

function caseXml(suite: string, { name, seconds, failure, skipped, output }: Case): string {
  const head = `    <testcase classname="${escapeMarkup(suite)}" name="${escapeMarkup(name)}" time="${seconds.toFixed(3)}"`;
  if (failure) {
    const { message, text } = failure;
    return `${head}><failure message="${escapeMarkup(message)}">${escapeMarkup(text)}</failure></testcase>`;
  }
  if (output !== undefined) return `${head}><system-out>${escapeMarkup(output)}</system-out></testcase>`;
  return skipped === undefined ? `${head}/>` : `${head}><skipped message="${escapeMarkup(skipped)}"/></testcase>`;
}

function counts(cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const seconds = cases.reduce((total, one) => total + one.seconds, 0);
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
}
