/** Names a host that plays probes, in everything that comes from it. */
export type ProbeHostId = string;

/** Where all probes run on one host, and the host of whatever names none, as runs of earlier versions do. */
export const theOneHost: ProbeHostId = 'local';

/** A host's clock, as it was measured against the conductor's. */
export interface HostClock {
  /** What is added to the host's times to have the conductor's, milliseconds. */
  readonly offsetMs: number;
  /** The true offset lies within so much of it. */
  readonly boundMs: number;
}

/** A host whose clock is known less well is not used, and makes a trial void that it took part in. */
export const clockBoundMsMax = 250;

/** A host that plays probes of one trial. */
export interface ProbeHost {
  readonly id: ProbeHostId;
  /** It is the machine of the conductor, so that a media server or a relay of this machine takes CPU from its probes. */
  readonly besideConductor?: true;
  /** Absent: it goes by the conductor's own clock. In a record: the last offset, and the widest bound of the trial. */
  readonly clock?: HostClock;
}

export function hostOf({ host }: { readonly host?: ProbeHostId }): ProbeHostId {
  return host ?? theOneHost;
}

/** The last of each host, in the order in which the hosts first came. */
export function lastOfEachHost<T extends { readonly host?: ProbeHostId }>(readings: readonly T[]): T[] {
  return [...new Map(readings.map((reading) => [hostOf(reading), reading])).values()];
}

/** For sentences about what hosts number by themselves: "browser 2 of host b"; of the one host it goes without saying. */
export function ofHost(host: ProbeHostId | undefined): string {
  return host === undefined || host === theOneHost ? '' : ` of host ${host}`;
}
