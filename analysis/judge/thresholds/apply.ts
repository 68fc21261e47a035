import { type AggregateName, isAggregateName } from '../../../model/aggregate.js';
import { measures } from '../../../model/measures.js';
import type { ThresholdRule, Thresholds } from '../../../model/plan.js';
import type { NamedLimit } from '../named-limit.js';
import { namedJoinLimits, namedLimits } from '../named-limits.js';
import type { Expression } from './expression.js';

type StreamRule = Extract<ThresholdRule, { of: 'stream' }>;
type Comparison = StreamRule['comparison'];

/** What two rules must share for the later one to replace the earlier. */
interface RuleSubject {
  readonly aggregate: AggregateName;
  readonly ofBaseline: boolean;
  readonly comparison: Comparison;
}

/** Later expressions replace earlier ones, and what stands in `thresholds`, on the streams that they name. */
export function withExpressions(thresholds: Thresholds, expressions: readonly Expression[]): Thresholds {
  return expressions.reduce(withExpression, thresholds);
}

function withExpression(thresholds: Thresholds, expression: Expression): Thresholds {
  switch (expression.of) {
    case 'bad-probes': {
      const { badProbes: _, ...rest } = thresholds;
      const { max, unit } = expression;
      return max === 0 ? rest : { ...rest, badProbes: { max, unit } };
    }
    case 'leg':
      return { ...thresholds, [expression.field]: expression.limit };
    case 'join': {
      const { time, statistic, limit } = expression;
      const named = namedJoinLimits.find((one) => one.time === time && one.statistic === statistic);
      return named ? { ...thresholds, [named.field]: limit } : withRule(thresholds, expression);
    }
    case 'join-success':
    case 'app':
      return withRule(thresholds, expression);
    case 'stream':
      return withStreamRule(thresholds, expression);
  }
}

/** A named limit takes the value when the rule covers all of its streams; what then remains is a rule of its own. */
function withStreamRule(thresholds: Thresholds, rule: StreamRule): Thresholds {
  const covered = namedLimits.filter((named) => sameSubject(named, rule) && covers(rule, named));
  const changes = Object.fromEntries(covered.map(({ field }) => [field, rule.limit]));
  const changed = { ...thresholds, ...changes };
  const left = pairsOf(rule).filter((pair) => !covered.some((named) => namedPairs(named).includes(pair)));
  return left.length === 0 ? withoutHidden(changed, rule) : withRule(changed, rule);
}

function withRule(thresholds: Thresholds, rule: ThresholdRule): Thresholds {
  const rest = withoutHidden(thresholds, rule);
  return { ...rest, also: [...(rest.also ?? []), rule] };
}

/** Without the rules of which nothing is left below the new one. */
function withoutHidden(thresholds: Thresholds, rule: ThresholdRule): Thresholds {
  const { also = [], ...rest } = thresholds;
  const kept = also.filter((earlier) => !hides(rule, earlier));
  return kept.length === 0 ? rest : { ...rest, also: kept };
}

function hides(later: ThresholdRule, earlier: ThresholdRule): boolean {
  if (later.of === 'join-success') return earlier.of === 'join-success';
  if (later.of === 'app') {
    if (earlier.of !== 'app' || earlier.name !== later.name) return false;
    return earlier.statistic === later.statistic && earlier.comparison === later.comparison;
  }
  if (later.of === 'join') {
    return earlier.of === 'join' && earlier.time === later.time && earlier.statistic === later.statistic;
  }
  if (earlier.of !== 'stream' || !sameSubject(later, earlier)) return false;
  return pairsOf(earlier).every((pair) => pairsOf(later).includes(pair));
}

export function sameSubject(a: RuleSubject, b: RuleSubject): boolean {
  return a.aggregate === b.aggregate && a.ofBaseline === b.ofBaseline && a.comparison === b.comparison;
}

function covers(rule: StreamRule, named: NamedLimit): boolean {
  const pairs = pairsOf(rule);
  return namedPairs(named).every((pair) => pairs.includes(pair));
}

function namedPairs({ kinds, directions }: NamedLimit): string[] {
  return kinds.flatMap((kind) => directions.map((direction) => `${kind}/${direction}`));
}

/** The kinds of stream that a rule is for: "video/send". */
function pairsOf({ aggregate, kind, direction }: StreamRule): string[] {
  if (!isAggregateName(aggregate)) return [];
  const { kinds, directions } = measures[aggregate];
  return kinds
    .filter((one) => kind === undefined || one === kind)
    .flatMap((one) =>
      directions.filter((way) => direction === undefined || way === direction).map((way) => `${one}/${way}`),
    );
}
