import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeFailureCode } from '../../model/trial.js';

/** It knew who offers, and did not say in time what it would send. The server was not asked yet. */
export function neverDescribed({ createdMs, describedMs, answeredMs, failure }: ArrivedJoin): boolean {
  const wasWaitedFor = failure?.code === 'signalling-timeout';
  return wasWaitedFor && createdMs !== undefined && describedMs === undefined && answeredMs === undefined;
}

export type Fate = 'answered' | 'refused' | 'stalled' | 'failed';

/** The server said no, said nothing in time, or something else went wrong. */
export function fateOf({ answeredMs, failure }: ArrivedJoin): Fate {
  if (failure?.code === 'refused' || failure?.code === 'signalling-unusable') return 'refused';
  if (failure?.code === 'signalling-timeout') return 'stalled';
  return failure === undefined && answeredMs !== undefined ? 'answered' : 'failed';
}

const outOfTime: ReadonlySet<ProbeFailureCode> = new Set([
  'signalling-timeout',
  'ice-timeout',
  'dtls-timeout',
  'no-media',
]);

/** Until its time was over: it took so long at least. Whatever fails at once says nothing of how long it takes. */
export function waitedInVain({ failure }: ArrivedJoin): boolean {
  return failure !== undefined && outOfTime.has(failure.code);
}
