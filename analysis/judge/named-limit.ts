import type { AggregateName } from '../../model/aggregate.js';
import type { Thresholds } from '../../model/plan.js';
import type { Direction, MediaKind } from '../../model/scenario.js';
import type { ThresholdResult, UnstableCode } from '../../model/verdict.js';
import type { StreamMeasure, StreamRule, StreamSubject } from './stream-rules.js';

export type LimitField = keyof Omit<Thresholds, 'also' | 'badProbes'>;

/** How a limit is called: "audio loss, mean". */
export interface LimitWords {
  readonly what: string;
  readonly statistic?: string;
}

export interface NamedLimit extends NamedLegLimit {
  readonly ofBaseline: boolean;
  readonly comparison: ThresholdResult['comparison'];
  readonly kinds: readonly MediaKind[];
  readonly directions: readonly Direction[];
  /** True: a stream without this value is not judged by it. Else an absent value that the probe measures is void. */
  readonly mayBeUnknown?: true;
  /** Left out: the aggregate, or its share of the baseline. */
  readonly value?: StreamRule['value'];
  /** The sentence after the probe's name, without its limit: "received video from 3a at 12 fps, …". */
  readonly phrase: (subject: StreamSubject, value: number, limit: number, measure: StreamMeasure) => string;
}

/** A limit that holds whatever the plan says, unless that has one of its own on the same value. */
export interface BuiltInRule extends StreamRule {
  readonly words: LimitWords;
}

/** A limit on each connection of a participant, whatever it carries. Always an upper bound. */
export interface NamedLegLimit {
  readonly code: UnstableCode;
  readonly field: LimitField;
  readonly aggregate: AggregateName;
  readonly words: LimitWords;
}

type Usual = 'ofBaseline' | 'comparison' | 'directions';

/** As it stands in a table, where what is usual is left out: an upper bound on the value itself of what is received. */
export type LimitEntry = Omit<NamedLimit, Usual> & Partial<Pick<NamedLimit, Usual>>;

export function namedLimit(entry: LimitEntry): NamedLimit {
  return { ofBaseline: false, comparison: 'at-most', directions: ['receive'], ...entry };
}
