import type { IceServer } from './signalling.js';

/** A TURN server between the probes and the media server (RFC 8656). */

/** How a probe reaches it (webrtc-stats RTCIceServerTransportProtocol); what it relays is UDP in any case. */
export const turnProtocols = ['udp', 'tcp', 'tls'] as const;
export type TurnProtocol = (typeof turnProtocols)[number];

/** What is written down of the TURN server of a run. No secret is in it. */
export interface TurnFacts {
  /** "coturn 4.6.1"; what a server of others calls itself, if it does (STUN attribute SOFTWARE). */
  readonly name: string;
  /**
   * As a probe gets it: `turn:127.0.0.1:40312?transport=udp`. For one of ours the port is another in each trial.
   * Absent: the media server names it to each probe, whose routes tell it.
   */
  readonly url?: string;
  readonly protocol: TurnProtocol;
  /** True when this run started it, on the probe host. */
  readonly ours: boolean;
  /** True when it runs on the probe host; absent like its address. */
  readonly sameHost?: boolean;
  /** Of several that were named: those before it that gave no relay, each with what it said. */
  readonly passedOver?: readonly string[];
  /** Threads that relay: so many cores it can use at most. Known of one of ours. */
  readonly threads?: number;
}

/** What one probe is given to be relayed. The credential is for it alone and ends by itself; it is never stored. */
export interface RelayAccess {
  readonly url: string;
  readonly protocol: TurnProtocol;
  readonly username: string;
  readonly credential: string;
}

/** What a probe is told of its relay before it joins: an access, or that the media server names one in signalling. */
export type RelayWay = RelayAccess | Pick<RelayAccess, 'protocol'>;

const isAccess = (way: RelayWay): way is RelayAccess => 'credential' in way;

/** Undefined where the media server is to name it. */
export const accessIn = (way: RelayWay | undefined): RelayAccess | undefined =>
  way && isAccess(way) ? way : undefined;

/** By the one address that is left of what the media server names; undefined where it has not named it yet. */
export function namedAccess({ protocol }: RelayWay, [server]: readonly IceServer[] = []): RelayAccess | undefined {
  const { urls: [url] = [], username = '', credential = '' } = server ?? {};
  return url === undefined ? undefined : { url, protocol, username, credential };
}

/** In place of an address: the TURN servers that the media server names to its participants. */
export const ownTurn = 'own';

/** How one leg of a probe reached its server: the local candidate of its selected pair. */
export interface LegRoute {
  readonly leg: string;
  /** RTCIceCandidateStats.candidateType: host, srflx, prflx or relay. */
  readonly candidateType: string;
  /** RTCIceCandidateStats.relayProtocol, of a relayed one. */
  readonly relayProtocol?: string;
  /** Address and port that the relay gave it. */
  readonly relayedAt?: string;
  /** RTCIceCandidateStats.url, of a relayed one: which of the TURN servers that were named it is. */
  readonly iceServer?: string;
}

/** What a TURN server of ours carried in one trial, by its own log. */
export interface TurnUsage {
  /** Relay addresses that it gave to probes, and those it refused, in all of the trial. */
  readonly allocations: number;
  readonly refused: number;
  readonly allocationsAtOnceMax: number;
  /** As sent to and received from the probes, TURN's own headers included. */
  readonly bytesFromProbes: number;
  readonly bytesToProbes: number;
  /** False when an allocation was still open: its last bytes are not counted. */
  readonly complete: boolean;
}

/**
 * Chromium sends nothing to this port (fetch.spec.whatwg.org, "port blocking"), and says so to nobody: looking for
 * candidates there does not end.
 */
export const isBlockedByBrowsers = (url: string): boolean => /^(stun|turn)s?:[^?]*:53(\?|$)/i.test(url);

/** What is wrong with a route that was to be relayed over `protocol`; `undefined` when nothing is. */
export function strayed(route: LegRoute, protocol: TurnProtocol): string | undefined {
  const { leg, candidateType, relayProtocol } = route;
  if (candidateType !== 'relay') return `leg ${leg} went directly: its selected local candidate is ${candidateType}`;
  if (relayProtocol === protocol) return undefined;
  return `leg ${leg} reached the relay over ${relayProtocol ?? 'nobody knows what'} instead of ${protocol}`;
}
