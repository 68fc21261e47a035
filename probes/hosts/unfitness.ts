import { clockBoundMsMax, type HostClock } from '../../model/probe-host.js';
import { type HostOffer, wireFormat } from './wire.js';

/** A host as it was found on the bus. */
export interface FoundHost {
  readonly offer: HostOffer;
  /** Absent where its clock did not answer. */
  readonly clock?: HostClock;
}

export interface Wanted {
  /** Of the conductor: probes of two builds do not measure alike. */
  readonly build: string;
  readonly version: string;
  /** The Chromium of the run, where it is chosen. */
  readonly chromium?: string;
  /** Of the conductor's machine. */
  readonly boot: string;
}

/** Why a host cannot serve, a sentence part; `undefined` when it can. */
export function unfitness({ offer, clock }: FoundHost, wanted: Wanted): string | undefined {
  const { version, build, chromium, busyBy, leaving } = offer;
  if (offer.wireFormat !== wireFormat || build !== wanted.build) {
    const which = version === wanted.version ? `another build of version ${version}` : `version ${version}`;
    return `it has ${which}, and this is ${wanted.version}`;
  }
  if (chromium === undefined) return 'it has no Chromium';
  if (wanted.chromium !== undefined && chromium !== wanted.chromium) {
    return `it has Chromium ${chromium}, and the others ${wanted.chromium}`;
  }
  if (busyBy !== undefined) return `it serves ${busyBy}`;
  if (leaving !== undefined) return leaving;
  if (offer.boot === wanted.boot) return undefined;
  if (!clock) return 'its clock does not answer';
  if (clock.boundMs > clockBoundMsMax) {
    return `its clock is known to within ${clock.boundMs} ms only (limit ${clockBoundMsMax} ms)`;
  }
  return undefined;
}

/** That of most hosts that could serve otherwise; of two that as many have, the newer. */
export function commonChromium(hosts: readonly FoundHost[], wanted: Wanted): string | undefined {
  const versions = hosts.flatMap((host) =>
    unfitness(host, wanted) === undefined && host.offer.chromium !== undefined ? [host.offer.chromium] : [],
  );
  const countOf = (version: string) => versions.filter((one) => one === version).length;
  const newer = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true });
  return [...new Set(versions)].sort((a, b) => countOf(b) - countOf(a) || newer(a, b))[0];
}
