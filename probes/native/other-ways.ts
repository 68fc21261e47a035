import type { IceServer } from '../../model/signalling.js';
import type { RemoteCandidates } from '../../rtp/remote-candidates.js';
import type { FailureReport } from '../page/wire.js';

type Failure = Omit<FailureReport, 'atMs'>;

/** A connection as far as this matters. */
interface Ended {
  readonly remote: RemoteCandidates | undefined;
  /** Of the server. */
  readonly description: string;
}

/** Ways to a server that a browser uses and a native probe does not: without them it cannot say that there is none. */
export class OtherWays {
  readonly #turn = new Set<string>();

  /** What the server names. */
  named(servers: readonly IceServer[] = []): void {
    for (const url of servers.flatMap(({ urls }) => urls)) if (/^turns?:/i.test(url)) this.#turn.add(url);
  }

  /** That it cannot connect is no fault of the server's: a browser could. */
  outOfReach(peers: readonly Ended[]): Failure | undefined {
    const [kinds] = peers.flatMap(({ remote }) => remote?.outOfReach ?? []);
    const detail = `native probes connect over UDP and IPv4 alone, and all candidates of the server are ${kinds}: use --media full`;
    return kinds === undefined ? undefined : { code: 'candidates-unusable', detail };
  }

  /** The same as soon as no further candidate can come (RFC 8840, 4.4). */
  neverInReach(peers: readonly Ended[]): Failure | undefined {
    return this.outOfReach(peers.filter(({ description }) => /^a=end-of-candidates\r?$/m.test(description)));
  }

  /** No ICE connection: whose fault, and what was not tried. */
  ofIce(failure: Failure, peers: readonly Ended[]): Failure {
    const own = this.outOfReach(peers);
    if (own) return own;
    const kinds = new Set(peers.flatMap(({ remote }) => remote?.untried ?? []));
    const untried = [...[...kinds].map((kind) => `candidates ${kind}`), ...this.#turn];
    if (untried.length === 0) return failure;
    return { ...failure, detail: `${failure.detail}; a browser would try ${untried.join(', ')}, too` };
  }
}
