import { isAggregateName } from '../../model/aggregate.js';
import { type ExpectedStream, speechOf } from '../../model/expected-streams.js';
import { measures, type Need } from '../../model/measures.js';
import type { Plan, ThresholdRule } from '../../model/plan.js';
import type { Retyping } from '../../model/remedy.js';
import { layerAsked } from '../../model/scenario.js';
import { names } from './own-rules.js';

type StreamRule = Extract<ThresholdRule, { of: 'stream' }>;
type AskedPlan = Pick<Plan, 'players' | 'media' | 'record'>;

interface Unmet {
  readonly why: string;
  /** What to ask for; absent where no flag helps. */
  readonly todo?: Retyping | undefined;
}

interface Asked {
  readonly isMet: (plan: AskedPlan, streams: readonly ExpectedStream[]) => boolean;
  readonly why: string;
  readonly todo?: (plan: AskedPlan, streams: readonly ExpectedStream[]) => Retyping | undefined;
}

/** Of media that was encoded before. */
const hasMarks = ({ players }: AskedPlan) => players.kind !== 'full';
/** What was encoded before cannot be drawn into. */
const toDraw = (plan: AskedPlan) => (hasMarks(plan) ? undefined : { give: { '--draw-marks': true } as const });

const encoded = { give: { '--media': 'encoded' } };

const needs: Readonly<Record<Need, Asked>> = {
  marks: {
    isMet: hasMarks,
    why: 'marks in media that was encoded before alone tell it',
    todo: () => encoded,
  },
  'any-marks': {
    isMet: (plan, streams) =>
      hasMarks(plan) || (plan.media.drawnMarks === true && streams.some(({ kind }) => kind === 'video')),
    why: 'marks of senders alone tell it',
    todo: (plan, streams) => {
      if (streams.some(({ kind }) => kind === 'video')) return toDraw(plan);
      return plan.media.drawnMarks ? undefined : encoded;
    },
  },
  'drawn-marks': {
    isMet: ({ media }) => media.drawnMarks === true,
    why: 'marks that full probes draw into their pictures alone tell it',
    todo: toDraw,
  },
  comparison: {
    isMet: ({ media }) => media.see !== undefined,
    why: 'probes of --see alone compare pictures',
    todo: () => ({ give: { '--see': 2 } }),
  },
  layers: {
    isMet: (_, streams) => streams.some((one) => layerAsked(one) !== undefined),
    why: 'nobody asks for a layer (--simulcast, --svc)',
  },
  questions: {
    isMet: (_, streams) => streams.some(({ participant }) => participant.turns?.part === 'asks'),
    why: 'no probe asks an agent in this scenario',
  },
  pauses: {
    isMet: (_, streams) => streams.some((one) => speechOf(one) !== undefined || one.participant.turns !== undefined),
    why: 'nobody speaks by a pattern',
    todo: () => ({ give: { '--speech': 'p59' } }),
  },
  clips: {
    isMet: ({ players }) => players.kind === 'encoded',
    why: 'encoded probes alone replace frames',
    todo: () => encoded,
  },
  app: { isMet: () => false, why: 'a web app that is visited alone asks for it' },
};

/**
 * Why no trial of a plan can measure what a limit is on, and what to ask for; undefined where one may. `streams` are
 * those of its sessions. What a visited app shows is known to nobody before.
 */
export function neverMeasured(
  rule: Pick<StreamRule, 'aggregate' | 'kind' | 'direction'>,
  plan: AskedPlan,
  streams: readonly ExpectedStream[],
): Unmet | undefined {
  if (plan.players.kind === 'visiting' || plan.players.kind === 'signalling') return undefined;
  const { aggregate, kind } = rule;
  const concerned = streams.filter((one) => names(rule, one));
  if (concerned.length === 0) return noStream(rule, plan);
  const need = kind !== 'data' && isAggregateName(aggregate) ? measures[aggregate].needs : undefined;
  const asked = need && needs[need];
  return !asked || asked.isMet(plan, concerned) ? undefined : { why: asked.why, todo: asked.todo?.(plan, concerned) };
}

function noStream(
  { aggregate, kind, direction }: Pick<StreamRule, 'aggregate' | 'kind' | 'direction'>,
  { record }: AskedPlan,
): Unmet {
  const kinds = kind ? [kind] : isAggregateName(aggregate) ? measures[aggregate].kinds : [];
  const act = direction === 'send' ? 'sends' : direction === 'receive' ? 'receives' : 'sends or receives';
  const why = `nobody ${act} ${kinds.map((one) => (one === 'data' ? 'messages' : one)).join(' or ')} in this plan`;
  const more: Retyping = { give: { '--data': 10, ...(record ? { '--no-record': true } : {}) } };
  return kinds.includes('data') ? { why, todo: more } : { why };
}
