import { builtInRules } from '../../analysis/judge/built-in-rules.js';
import type { BuiltInRule } from '../../analysis/judge/named-limit.js';
import { neverMeasured } from '../../analysis/judge/never-measured.js';
import { names } from '../../analysis/judge/own-rules.js';
import { limitInWords } from '../../analysis/judge/threshold-row.js';
import { sameSubject } from '../../analysis/judge/thresholds/apply.js';
import { expectedStreams, isMix } from '../../model/expected-streams.js';
import { measures } from '../../model/measures.js';
import type { Plan, Thresholds } from '../../model/plan.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';

/** Beside the labels of a plan's block. */
const columns = 69;

/**
 * The limits that hold beside the plan's named ones, of what this plan measures: of marks, messages, layers and
 * answers. Of visited pages and of participants without media nobody knows it before.
 */
export function builtInTexts(plan: Plan, scenario: Scenario): readonly string[] {
  const { players, thresholds, media } = plan;
  if (players.kind === 'visiting' || players.kind === 'signalling') return [];
  const own = (thresholds.also ?? []).filter((rule) => rule.of === 'stream');
  const streams = expectedStreams(participantsOf(scenario.sessions(scenario.baselineSize)));
  const held = builtInRules.filter((rule) => {
    // A mixer makes pictures and sound of its own, without what was put into the media beside them.
    const throughMixers = !isByMarks(rule) || media.drawnMarks === true;
    const judged = streams
      .filter((one) => names(rule.subject, one) && (throughMixers || !isMix(one)))
      .filter((one) => !own.some((other) => sameSubject(other, rule.subject) && names(other, one)));
    return judged.length > 0 && neverMeasured(rule.subject, plan, judged) === undefined;
  });
  const marks = partsOf(held.filter(isByMarks), thresholds);
  const others = partsOf(
    held.filter((rule) => !isByMarks(rule)),
    thresholds,
  );
  return [...(marks.length > 0 ? packed(['where marks of senders arrive:', ...marks]) : []), ...packed(others)];
}

const isByMarks = ({ subject: { aggregate, kind } }: BuiltInRule): boolean =>
  kind !== 'data' && measures[aggregate].needs?.endsWith('marks') === true;

/** "delay of sound p95 ≤ 400 ms"; what pictures and sound have alike is one part. */
function partsOf(rules: readonly BuiltInRule[], thresholds: Thresholds): readonly string[] {
  const all = rules.map(({ words: { what, statistic }, unit, limit }) => {
    const name = statistic === undefined ? what : `${what} ${statistic}`;
    return `${name} ≤ ${limitInWords(limit(thresholds), unit)}`;
  });
  const asSound = (part: string) => part.replace('pictures', 'sound');
  const isTwice = (part: string) => asSound(part) !== part && all.includes(asSound(part));
  const twice = new Set(all.filter(isTwice).map(asSound));
  return all
    .filter((part) => !twice.has(part))
    .map((part) => (isTwice(part) ? part.replace('pictures', 'pictures and sound') : part));
}

/** In lines that no part is broken by. */
function packed(parts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const [nth, part] of parts.entries()) {
    const text = nth < parts.length - 1 && !part.endsWith(':') ? `${part},` : part;
    const last = lines.at(-1);
    if (last === undefined || `${last} ${text}`.length > columns) lines.push(`  ${text}`);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}
