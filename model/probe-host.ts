/** Names a host that plays probes, in everything that comes from it. */
export type ProbeHostId = string;

/** The host of this process. Also the host of records that name none, as in runs of earlier versions. */
export const localHostId: ProbeHostId = 'local';

/** A host's clock, as it was measured against the conductor's. */
export interface HostClock {
  /** What is added to the host's times to have the conductor's, milliseconds. */
  readonly offsetMs: number;
  /** The true offset lies within so much of it. */
  readonly boundMs: number;
  /** Parts per million by which it ran faster than the conductor's, with a bound; absent before time to tell. */
  readonly drift?: { readonly ppm: number; readonly boundPpm: number };
}

/** A host whose clock is known less well is not used, and makes a trial void that it took part in. */
export const clockBoundMsMax = 250;

/** A host that plays probes of one trial. */
export interface ProbeHost {
  readonly id: ProbeHostId;
  /** It is the conductor's machine: media servers and relays here take CPU from its probes. */
  readonly besideConductor?: true;
  /** It is on that machine in a network namespace of its own. */
  readonly ownNetwork?: true;
  /** Where it says that it is, as several hosts may: "eu-west". */
  readonly place?: string;
  readonly cores?: number;
  /** Probes of the kind that is played, as it was calibrated; absent: nobody knows. */
  readonly carries?: number;
  /** Absent: it goes by the conductor's own clock. In a record: the last offset, and the widest bound of the trial. */
  readonly clock?: HostClock;
  /** How much later than the common moment its pace began, by its corrected clock; absent: not said. */
  readonly beganLateMs?: number;
  /** For so many connections it spoke to the media server itself; absent: for none, the conductor did. */
  readonly spokenLegs?: number;
  /** What it let go of because it could not send it in time; absent: nothing. */
  readonly samplesDropped?: number;
  /** Of what it told, so many batches were lost on the bus; absent: none. */
  readonly batchesLost?: number;
}

/** A start that is later than this is told. */
export const lateStartMs = 50;

/** In sentences: with its place, where it says that it is at one. */
export function hostName({ id, place }: Pick<ProbeHost, 'id' | 'place'>): string {
  return place === undefined ? id : `${id} (${place})`;
}

export function hostOf({ host }: { readonly host?: ProbeHostId }): ProbeHostId {
  return host ?? localHostId;
}

/** For what hosts number by themselves: "browser 2 of host b"; a single host is not named. */
export function ofHost(host: ProbeHostId | undefined): string {
  return host === undefined || host === localHostId ? '' : ` of host ${host}`;
}
