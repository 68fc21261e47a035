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
  /** The network namespace of the conductor, where that is known. */
  readonly netns?: string;
  /** Present where a web app is visited: the digest of it and of what joins it. */
  readonly app?: string;
  /** Present if the probes' networks are impaired; whether the server is on another machine than the conductor. */
  readonly impairs?: { readonly serverElsewhere: boolean };
}

/** The media server is not in the network that the host itself is in: then packets of its probes leave it. */
export function isServerElsewhere(offer: HostOffer, { boot, netns, impairs }: Wanted): boolean {
  return impairs?.serverElsewhere !== false || offer.boot !== boot || offer.netns !== netns;
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
  const stranger = wanted.app === undefined ? undefined : appLack(offer.app, wanted.app);
  if (stranger !== undefined) return stranger;
  const lack = networkLack(offer, wanted);
  if (lack !== undefined) return lack;
  if (busyBy !== undefined) return `it serves ${busyBy}`;
  if (leaving !== undefined) return leaving;
  if (offer.boot === wanted.boot) return undefined;
  if (!clock) return 'its clock does not answer';
  if (clock.boundMs > clockBoundMsMax) {
    return `its clock is known to within ${clock.boundMs} ms only (limit ${clockBoundMsMax} ms)`;
  }
  return undefined;
}

function appLack(own: string | undefined, wanted: string): string | undefined {
  if (own === undefined) return 'it visits no web app: start it with loadline host --url URL --join FILE';
  if (own === wanted) return undefined;
  return 'it visits another web app, or has another join script or other users: give it the same --url, --join and --users';
}

function networkLack(offer: HostOffer, wanted: Wanted): string | undefined {
  if (!wanted.impairs) return undefined;
  const { means, why, lackElsewhere } = offer.impairs ?? { means: 'none', why: 'it does not say how' };
  if (means === 'none') return `it cannot impair networks: ${why}`;
  if (lackElsewhere === undefined || !isServerElsewhere(offer, wanted)) return undefined;
  return `it cannot impair networks towards a media server that is not in its own: ${lackElsewhere}`;
}

/** Most common Chromium among usable hosts; ties: the newer. */
export function commonChromium(hosts: readonly FoundHost[], wanted: Wanted): string | undefined {
  const versions = hosts.flatMap((host) =>
    unfitness(host, wanted) === undefined && host.offer.chromium !== undefined ? [host.offer.chromium] : [],
  );
  const countOf = (version: string) => versions.filter((one) => one === version).length;
  const newer = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true });
  return [...new Set(versions)].sort((a, b) => countOf(b) - countOf(a) || newer(a, b))[0];
}
