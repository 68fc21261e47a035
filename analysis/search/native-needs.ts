import { canBeNative, probesPerProcess, sentinelsOf } from '../../model/native-probes.js';
import type { Plan } from '../../model/plan.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeCost } from './probe-costs.js';

/** How many probes of each kind a plan has. `grown`: what is counted of the participants of a whole trial. */
export function probesByKind(plan: Plan, grown: (count: (participants: readonly Participant[]) => number) => number) {
  const able = plan.native ? grown((participants) => participants.filter(canBeNative).length) : 0;
  const native = plan.native ? able - sentinelsOf(able, plan.native.sentinels) : 0;
  const inBrowsers = grown((participants) => participants.length) - native;
  const full = plan.encoded ? Math.ceil(inBrowsers * plan.encoded.fullShare) : inBrowsers;
  return [
    { kind: 'full', count: full },
    { kind: 'encoded', count: inBrowsers - full },
    { kind: 'native', count: native },
  ] as const;
}

/** Of viewers without a browser; the cost is already that of one that only receives. */
export function nativeNeeds(count: number, { probeMb, browserMb, coresPerProbe, serverCoresPerProbe }: ProbeCost) {
  return {
    pages: 0,
    browsers: 0,
    memoryMb: Math.ceil(count / probesPerProcess) * browserMb + count * probeMb,
    cores: count * coresPerProbe,
    serverCores: count * serverCoresPerProbe,
  };
}
