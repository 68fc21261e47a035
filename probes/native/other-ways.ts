import type { RemoteCandidates } from '../../rtp/remote-candidates.js';
import type { Failure } from '../page/join-watch.js';
import type { OwnCandidates } from './own-candidates.js';

/** A connection as far as this matters. */
interface Ended {
  readonly remote: RemoteCandidates | undefined;
  /** Of the server. */
  readonly description: string;
  readonly own: Pick<OwnCandidates, 'iceUrls'> | undefined;
}

/** That it cannot connect is no fault of the server's: a browser could. */
function outOfReach(peers: readonly Pick<Ended, 'remote'>[]): Failure | undefined {
  const [kinds] = peers.flatMap(({ remote }) => remote?.outOfReach ?? []);
  const detail = `native probes connect over UDP and IPv4 alone, and all candidates of the server are ${kinds}: use --media full`;
  return kinds === undefined ? undefined : { code: 'candidates-unusable', detail };
}

/** The same as soon as no further candidate can come (RFC 8840, 4.4). */
export const neverInReach = (peers: readonly Omit<Ended, 'own'>[]): Failure | undefined =>
  outOfReach(peers.filter(({ description }) => /^a=end-of-candidates\r?$/m.test(description)));

/**
 * No ICE connection: whose fault, and which ways a browser would have tried that a native probe does not. Without them
 * it cannot say that there is none.
 */
export function otherWays(failure: Failure, peers: readonly Omit<Ended, 'description'>[]): Failure {
  const unreachable = outOfReach(peers);
  if (unreachable) return unreachable;
  const kinds = peers.flatMap(({ remote }) => remote?.untried ?? []).map((kind) => `candidates ${kind}`);
  const turn = peers.flatMap(({ own }) => own?.iceUrls ?? []).filter((url) => /^turns?:/i.test(url));
  const untried = [...new Set([...kinds, ...turn])];
  if (untried.length === 0) return failure;
  return { ...failure, detail: `${failure.detail}; a browser would try ${untried.join(', ')}, too` };
}
