import type { Candidate, TriedLeg } from '../../model/candidate.js';
import { type CountedByLoad, countedIn } from '../../model/load.js';
import type { ProbeFailureCode, ProbeRecord, TrialRecord } from '../../model/trial.js';
import { takesFrom } from './joining.js';

const timeouts: ReadonlySet<ProbeFailureCode> = new Set(['ice-timeout', 'dtls-timeout']);
const withoutConnection: ReadonlySet<ProbeFailureCode> = new Set([...timeouts, 'candidates-unusable']);

type Tried = Pick<TrialRecord, 'probes' | 'hosts' | 'warmUp' | 'tried'> & CountedByLoad;

interface NeverConnected {
  /** A sentence. */
  readonly because: string;
  /** What helps, a sentence that never depends on flags. */
  readonly todo: string;
  /** No repeat can change it: where the probes are, nothing that was offered leads to the server. */
  readonly isSure?: true;
}

/**
 * Why nobody ever had a connection, in this trial and in the session that warmed the server up for it. Undefined where
 * somebody had one, or failed in another way: a server that refuses, or does not answer, was reached. To have no stream
 * of a probe that has no way to it is to refuse nobody.
 */
export function neverConnected({
  probes,
  hosts = [],
  warmUp,
  tried = [],
  ...found
}: Tried): NeverConnected | undefined {
  const wasReached = warmUp !== undefined && (warmUp.probesUp > 0 || warmUp.joinMs !== undefined);
  if (countedIn(found) || wasReached || probes.length === 0) return undefined;
  const wayless = new Set(probes.filter(hasNoWay).map(({ participant: { id } }) => id));
  const isWithout = (probe: ProbeRecord) => {
    const { up, join, failures, routes = [] } = probe;
    if (up || join.dtlsConnectedMs !== undefined || routes.length > 0 || failures.length === 0) return false;
    return failures.every(
      ({ code }) => withoutConnection.has(code) || (code === 'refused' && takesFrom(probe, wayless)),
    );
  };
  if (!probes.every(isWithout)) return undefined;
  const failures = probes.flatMap((probe) => probe.failures);
  const noWay = failures.find(({ code }) => code === 'candidates-unusable');
  const wasTried = failures.some(({ code }) => timeouts.has(code));
  if (noWay && !wasTried) {
    const because = `No participant had a way to the media server: ${noWay.detail}.`;
    return { because, todo: 'Have the server offer UDP over IPv4.', isSure: true };
  }
  if (probes.some(({ join }) => join.iceConnectedMs !== undefined)) {
    return {
      because:
        'ICE connected and DTLS did not: the certificate does not have the fingerprint that was offered, or the two ends have no version or cipher in common.',
      todo: 'Compare the certificate of the connection with the fingerprint in the description, and the versions of DTLS.',
    };
  }
  const ownNetworks = new Set(hosts.flatMap(({ id, ownNetwork }) => (ownNetwork ? [id] : [])));
  const isApart = ({ participant, host = '' }: ProbeRecord) =>
    participant.network !== undefined || ownNetworks.has(host);
  return causeIn(tried, probes.every(isApart));
}

const hasNoWay = ({ failures }: ProbeRecord): boolean => failures.some(({ code }) => code === 'candidates-unusable');

const openPorts = "Look at firewalls, NAT and the server's range of ports.";
const announce = 'Have the server announce an address that the probes reach.';

/** `isApart`: every probe is in a network namespace of its own, which has another loopback than the server's host. */
function causeIn(tried: readonly TriedLeg[], isApart: boolean): NeverConnected {
  const served = tried.flatMap(({ ofServer }) => ofServer);
  const own = tried.flatMap(({ ofProbe }) => ofProbe);
  if (tried.length === 0)
    return { because: 'Nothing came back over ICE; what each side offered is not known.', todo: openPorts };
  if (served.length === 0) {
    const because = 'The media server offered no candidate, so there was no address to connect to.';
    return { because, todo: 'See whether its signalling gives candidates.' };
  }
  const overUdp = served.filter(({ protocol }) => protocol === 'udp');
  if (overUdp.length === 0) {
    const because = `The media server offered TCP alone (${shown(served)}), and nothing came back over it.`;
    return { because, todo: 'Have the server offer UDP over IPv4.' };
  }
  const addressed = overUdp.filter(({ address }) => isAddress(address));
  if (addressed.length === 0) {
    const because = `The media server offered only names (${shown(overUdp)}): they did not resolve where the probes are, or nothing came back.`;
    return { because, todo: 'Have the server announce addresses, or names that resolve where the probes are.' };
  }
  const ways = `(${shown(addressed)}), and the probes are at ${shown(own.filter(({ address }) => isAddress(address)))}`;
  if (addressed.every(({ address }) => isLoopback(address))) {
    const because = `The media server offered only loopback addresses ${ways}: no other host or network reaches them.`;
    // Names and TCP beside them may lead elsewhere.
    const isAll = served.every(({ address }) => isLoopback(address));
    return { because, todo: announce, ...(isApart && isAll ? { isSure: true } : {}) };
  }
  const inReach = (one: Candidate) => own.some(({ address }) => isSameNetwork(one.address, address));
  if (addressed.every(({ address }) => isLoopback(address) || isPrivate(address)) && !addressed.some(inReach))
    return {
      because: `The media server offered only private addresses ${ways}, which is another network.`,
      todo: announce,
    };
  return {
    because: `No answer to STUN came from what the media server offered ${ways}: a firewall, an address that NAT hides, or ports that are not open.`,
    todo: openPorts,
  };
}

const mostShown = 4;

function shown(candidates: readonly Candidate[]): string {
  const addresses = [...new Set(candidates.map(({ address, protocol }) => `${protocol} ${address}`))];
  if (addresses.length === 0) return 'no address';
  const more = addresses.length > mostShown ? ` and ${addresses.length - mostShown} more` : '';
  return `${addresses.slice(0, mostShown).join(', ')}${more}`;
}

const isAddress = (address: string): boolean => /^[0-9.]+$/.test(address) || address.includes(':');

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** RFC 1918, RFC 3927, RFC 6598, RFC 4193 and link-local ones of IPv6. */
const isPrivate = (address: string): boolean =>
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2[0-9]|3[01])\.|100\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])\.)/.test(
    address,
  ) || /^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/i.test(address);

/** As far as an address alone says: the first three of four numbers, or of IPv6 the first four groups. */
function isSameNetwork(one: string, other: string): boolean {
  const prefix = (address: string) =>
    address.includes(':') ? address.split(':').slice(0, 4).join(':') : address.split('.').slice(0, 3).join('.');
  return prefix(one) === prefix(other);
}
