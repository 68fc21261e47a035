import { endOfCandidates, type IceCandidate, type IceServer } from '../../model/signalling.js';
import { accessIn, namedAccess, type RelayWay } from '../../model/turn.js';
import type { LinkAddress } from '../../rtp/link-address.js';
import type { NativeLink } from '../../rtp/native-link.js';
import type { FirstMove } from '../page/wire.js';
import { candidateLine } from './own-description.js';

/** The candidates of one connection. They are told, unless all go in the description. */
export class OwnCandidates {
  all: readonly LinkAddress[] = [];
  /** Of the servers that it could ask for more: with a relay there is one way, whatever the server names. */
  readonly iceUrls: string[] = [];
  #isFound = false;

  constructor(
    private readonly link: Pick<NativeLink, 'gather'>,
    /** Absent: they are addresses of this host. */
    private readonly relay: RelayWay | undefined,
    private readonly first: FirstMove,
    private readonly onCandidate: (candidate: IceCandidate) => void,
  ) {}

  /** Those that go in the description. */
  get described(): readonly LinkAddress[] {
    return this.first.candidates === 'in-one-message' ? this.all : [];
  }

  /**
   * Opens the sockets, once. Where the server is to name the relay, that waits until it has. Rejects with RelayRefused.
   *
   * @param servers what it names by now
   */
  async find(servers: readonly IceServer[] | undefined): Promise<void> {
    const { link, relay, first, onCandidate } = this;
    if (!relay) this.iceUrls.push(...(servers ?? []).flatMap(({ urls }) => urls));
    const access = relay && (accessIn(relay) ?? namedAccess(relay, servers));
    if (this.#isFound || (relay && !access)) return;
    this.#isFound = true;
    this.all = await link.gather(access);
    if (first.candidates === 'in-one-message') return;
    this.all.forEach((one, nth) => {
      onCandidate({ candidate: candidateLine(one, nth), sdpMid: '0', sdpMLineIndex: 0 });
    });
    if (first.by === 'probe' && first.takesEnd) onCandidate(endOfCandidates);
  }
}
