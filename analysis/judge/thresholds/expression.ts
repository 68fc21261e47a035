import type { AggregateName } from '../../../model/aggregate.js';
import { aggregates } from '../../../model/aggregate.js';
import { given } from '../../../model/given.js';
import { type Measure, measures, unitWords } from '../../../model/measures.js';
import type { ThresholdRule } from '../../../model/plan.js';
import { bestMos } from '../../measure/mos.js';
import type { NamedLegLimit } from '../named-limit.js';
import { pathOf } from '../threshold-label.js';
import { readSubject, type Subject } from './subject.js';
import { ExpressionFault, faultAt, type Token, TokenReader, tokensOf } from './tokens.js';

type StreamRule = Extract<ThresholdRule, { of: 'stream' }>;
type OtherRule = Exclude<ThresholdRule, StreamRule>;

/** An expression, read. `text` is its plain form. */
export type Expression =
  | (StreamRule & { readonly aggregate: AggregateName })
  | OtherRule
  | { readonly of: 'leg'; readonly text: string; readonly field: NamedLegLimit['field']; readonly limit: number }
  | { readonly of: 'bad-probes'; readonly text: string; readonly max: number; readonly unit: 'probes' | '%' };

type ReadExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly column: number; readonly message: string; readonly pointer: string };

type Comparison = 'at-most' | 'at-least';

/**
 * Reads one limit: `video.loss.mean <= 1%`, `p95(join.firstFrame) <= 5s`, `bitrate.mean >= 80% of baseline`,
 * `bad probes <= 0`.
 *
 * `[sent.|received.][audio.|video.]MEASURE[.STATISTIC]`, or the statistic in front with the rest in parentheses. A
 * fault has a `pointer`: the expression and a line of carets below it.
 */
export function readExpression(text: string): ReadExpression {
  try {
    const reader = new TokenReader(tokensOf(text));
    const first = reader.peek();
    const subject = readSubject(reader);
    const name = { column: first.column, text: text.slice(first.column, reader.peek().column).trim() };
    const comparison = readComparison(reader, subject, name);
    const expression = withLimit(reader, subject, comparison);
    const rest = reader.peek();
    if (rest.kind !== 'end')
      throw faultAt(rest, 'here the expression should end; another limit is an expression of its own');
    return { ok: true, expression };
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    const { column, length, message } = error;
    const pointer = `${text}\n${' '.repeat(column)}${'^'.repeat(length)} ${message}`;
    return { ok: false, column, message, pointer };
  }
}

function readComparison(reader: TokenReader, subject: Subject, name: { column: number; text: string }): Comparison {
  const token = reader.expect('comparison', '<= or >=');
  const comparison = token.text === '<=' || token.text === '≤' ? 'at-most' : 'at-least';
  if (token.text === '<' || token.text === '>') {
    throw faultAt(token, `write ${token.text}=; a value equal to its limit passes`);
  }
  if (!['<=', '≤', '>=', '≥'].includes(token.text)) throw faultAt(token, 'a limit is compared with <= or >=');
  const better = betterOf(subject);
  if (better === 'less' && comparison === 'at-least')
    throw faultAt(token, `${name.text} is better when lower: write <=`);
  if (better === 'more' && comparison === 'at-most')
    throw faultAt(token, `${name.text} is better when higher: write >=`);
  return comparison;
}

function betterOf(subject: Subject): Measure['better'] {
  if (subject.of === 'stream') return measures[subject.aggregate].better;
  if (subject.of === 'app') return 'either';
  return subject.of === 'join-success' ? 'more' : 'less';
}

function withLimit(reader: TokenReader, subject: Subject, comparison: Comparison): Expression {
  switch (subject.of) {
    case 'bad-probes': {
      const shared = reader.peek(1).text === '%';
      const { value, unit } = readValue(reader, shared ? '%' : 'probes');
      return {
        of: 'bad-probes',
        text: `bad probes <= ${worded(value, unit)}`,
        max: value,
        unit: shared ? '%' : 'probes',
      };
    }
    case 'leg': {
      const { aggregate, field } = subject.named;
      const { value, unit } = readValue(reader, aggregates[aggregate].unit);
      return { of: 'leg', text: `${pathOf({ aggregate })} <= ${worded(value, unit)}`, field, limit: value };
    }
    case 'join': {
      const { value, unit } = readValue(reader, 'ms', { zero: false });
      const { time, statistic } = subject;
      return { ...subject, text: `join.${time}.${statistic} <= ${worded(value, unit)}`, time, statistic, limit: value };
    }
    case 'join-success': {
      const { value, unit } = readValue(reader, '%');
      return { of: 'join-success', text: `join.success >= ${worded(value, unit)}`, limit: value };
    }
    case 'app': {
      // Of the lowest values nothing is known by a percentile from above.
      if (comparison === 'at-least' && subject.statistic !== 'mean')
        throw faultAt(reader.peek(), `a lower bound is on the mean: app.${subject.name}.mean >=`);
      const { value, unit } = readValue(reader, ['ms', 's'].includes(reader.peek(1).text) ? 'ms' : 'count');
      const sign = signOf(comparison);
      const text = `app.${subject.name}.${subject.statistic} ${sign} ${worded(value, unit)}`;
      return { ...subject, text, comparison, limit: value, unit };
    }
    case 'stream':
      return streamRule(reader, subject, comparison);
  }
}

const signOf = (comparison: Comparison): string => (comparison === 'at-most' ? '<=' : '>=');

function streamRule(
  reader: TokenReader,
  { aggregate, kind, direction }: Extract<Subject, { of: 'stream' }>,
  comparison: Comparison,
): Expression {
  const { name, inBaseline } = measures[aggregate];
  const ofBaseline = sharesBaseline(reader);
  if (ofBaseline && !inBaseline)
    throw faultAt(ofBaseline, `the baseline keeps bitrate, fps and frameWidth, not ${name}`);
  if (ofBaseline && comparison === 'at-most')
    throw faultAt(ofBaseline, 'a share of the baseline is a lower bound: write >=');
  const { value, unit } = ofBaseline
    ? readValue(reader, '%', { most: 10_000 })
    : readValue(reader, aggregates[aggregate].unit);
  if (ofBaseline) [reader.take(), reader.take()];
  const text = `${pathOf({ aggregate, kind, direction })} ${signOf(comparison)} ${worded(value, unit)}${ofBaseline ? ' of baseline' : ''}`;
  return {
    of: 'stream',
    text,
    aggregate,
    ...given({ kind, direction }),
    ofBaseline: ofBaseline !== undefined,
    comparison,
    limit: value,
    unit,
  };
}

/** The word "of" when "% of baseline" stands behind the next number. */
function sharesBaseline(reader: TokenReader): Token | undefined {
  const [percent, of, baseline] = [1, 2, 3].map((ahead) => reader.peek(ahead));
  if (of?.text !== 'of') return undefined;
  if (baseline?.text !== 'baseline') throw faultAt(baseline ?? of, 'a share can only be of baseline');
  if (percent?.text !== '%') throw faultAt(percent ?? of, 'a share of the baseline is in %');
  return of;
}

function readValue(
  reader: TokenReader,
  unit: string,
  { zero = true, most = 100 } = {},
): { value: number; unit: string } {
  if (reader.peek().text === '-') throw faultAt(reader.peek(), 'a limit cannot be below zero');
  const number = reader.expect('number', 'the limit, a number');
  const words = unitWords[unit] ?? { '': 1 };
  const at = reader.peek();
  const decimals = reader.peek(1);
  if (at.text === ',' && decimals.kind === 'number')
    throw faultAt(at, `write a point: ${number.text}.${decimals.text}`);
  const written = readUnit(reader);
  const factor = Object.hasOwn(words, written) ? words[written] : undefined;
  if (factor === undefined) {
    const known = Object.keys(words).filter((word) => word !== '');
    const wish = known.length === 0 ? 'no unit' : `a unit: ${known.slice(0, 2).join(' or ')}`;
    throw written === ''
      ? faultAt(number, `this number needs ${wish}`)
      : faultAt({ ...at, text: written }, `here belongs ${wish}`);
  }
  const value = Number(number.text) * factor;
  if (!zero && value <= 0) throw faultAt(number, 'this limit must be above zero');
  if (unit === '%' && value > most)
    throw faultAt(number, most === 100 ? 'no more than 100% can be' : 'this is no sensible share');
  if (unit === 'MOS' && value > bestMos) throw faultAt(number, `no estimate is above ${bestMos}`);
  return { value, unit };
}

/** `%`, `ms`, `kbit/s`, `/s`, or nothing; "of" belongs to what follows. */
function readUnit(reader: TokenReader): string {
  if (reader.skip('%')) return '%';
  const word = reader.peek();
  const name = word.kind === 'word' && word.text !== 'of' ? reader.take().text : '';
  if (!reader.skip('/')) return name;
  return `${name}/${reader.expect('word', 's, for each second').text}`;
}

function worded(value: number, unit: string): string {
  if (unit === '%') return `${value}%`;
  if (unit === 'ms') return value >= 1000 && value % 100 === 0 ? `${value / 1000}s` : `${value}ms`;
  if (unit === '1/s') return `${value}/s`;
  return ['count', 'MOS', 'level', 'probes'].includes(unit) ? String(value) : `${value} ${unit}`;
}
