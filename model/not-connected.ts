import type { JoinTimes, ProbeFailure } from './trial.js';

/** As whoever plays a probe names them: "checking". */
export interface ConnectionStates {
  readonly iceState: string;
  readonly connectionState: string;
}

/** The step of connecting that an answered probe did not reach; `undefined`: it is connected. */
export function notConnected(
  join: JoinTimes,
  elapsed: string,
  legs: readonly ConnectionStates[],
): Pick<ProbeFailure, 'code' | 'detail'> | undefined {
  const states = (of: keyof ConnectionStates) => [...new Set(legs.map((leg) => leg[of]))].join(', ');
  if (join.iceConnectedMs === undefined)
    return { code: 'ice-timeout', detail: `no ICE connection in ${elapsed} (state ${states('iceState')})` };
  if (join.dtlsConnectedMs === undefined)
    return { code: 'dtls-timeout', detail: `no DTLS connection in ${elapsed} (state ${states('connectionState')})` };
  return undefined;
}
