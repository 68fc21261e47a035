import { given } from '../../model/given.js';
import { placements } from '../../model/placement.js';
import type { SimulatedServerPlan } from '../../model/plan.js';
import { symptoms } from '../../simulation/symptoms.js';
import { type Flags, goingWith, type ValuesOf } from './flag.js';
import { wrongValue } from './usage-error.js';
import { percentIn } from './values.js';
import { count, duration, type Written, word } from './written.js';

export const simulationFlags = {
  capacity: { about: 'the largest size that the simulated server carries', value: count(), usual: '18' },
  cluster: {
    takes: 'list',
    about: 'several servers, with a capacity each: 2,3,5; a session is on one of them',
    value: { read: readCapacities },
  },
  ...goingWith(
    '--cluster',
    {
      placement: {
        takes: 'how',
        about: `where a session of a cluster goes: ${placements.join(', ')} (default: round-robin)`,
        value: word(placements),
      },
    },
    '2,3,5',
  ),
  flakyWidth: {
    takes: 'n',
    about: 'over so many sizes around the capacity the outcome is chance',
    value: number(0, 1000),
  },
  drift: {
    takes: 'percent',
    about: 'the capacity falls by this much with each trial; below 0 it rises',
    value: number(-100, 100),
  },
  fatigue: {
    takes: 'percent',
    about: 'it falls by this much with each overload, and no reset cures it',
    value: number(0, 100),
  },
  symptom: {
    takes: 'what',
    about: 'what is noticed above it: slow, loss, freeze, or mixed',
    value: word(symptoms),
    usual: 'mixed',
  },
  refusesAbove: { about: 'joins above this size are refused', value: count() },
  probeLimit: { about: 'above this size the probe host is out of CPU', value: count() },
  voidRate: { takes: 'share', about: 'in this share of the trials a browser crashes: 0.1', value: { read: readRate } },
  coldJoin: { about: 'its first joins take so long, and a warm-up comes before the first trial', value: duration },
  seed: { about: 'the same seed gives the same run', value: count({ from: 0, to: 999_999_999 }), usual: '1' },
} as const satisfies Flags;

export function simulationOf(asked: ValuesOf<typeof simulationFlags>): SimulatedServerPlan {
  const { capacity, cluster: capacities, placement, symptom, seed } = asked;
  const { flakyWidth, refusesAbove, probeLimit, voidRate } = asked;
  return given({
    kind: 'simulated' as const,
    capacity: capacities ? Math.max(...capacities) : capacity,
    cluster: capacities && { capacities, placement: placement ?? 'round-robin' },
    symptom,
    seed,
    flakyWidth,
    driftPercentPerTrial: asked.drift,
    fatiguePercentPerOverload: asked.fatigue,
    refusesAbove,
    probeLimit,
    coldJoinMs: asked.coldJoin,
    voidRate,
  });
}

function readCapacities(text: string, flag: string): number[] {
  const capacities = text.split(',').map((one) => (/^ *[1-9]\d{0,4} *$/.test(one) ? Number(one) : Number.NaN));
  if (capacities.length >= 2 && !capacities.some(Number.isNaN)) return capacities;
  throw wrongValue(flag, text, 'must be the capacities of two servers or more', '2,3,5');
}

/** 0, 1, or a share between them. */
function readRate(text: string, flag: string): number {
  const percent = percentIn(text);
  return percent === undefined || percent > 100 ? number(0, 1).read(text, flag) : percent / 100;
}

function number(from: number, to: number): Written<number> {
  const read = (text: string, flag: string) => {
    const value = /^-?\d{1,6}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw wrongValue(flag, text, `must be a number from ${from} to ${to}`, `${Math.min(to, 2)}`);
  };
  return { read };
}
