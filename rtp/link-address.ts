import type { TurnProtocol } from '../model/turn.js';

/** Where the media server can send to. */
export interface LinkAddress {
  readonly address: string;
  readonly port: number;
  /** Of one at a TURN server: how that is reached, and what it sees of the probe (beside a candidate of type relay, RFC 8839, 5.1). */
  readonly relayed?: { readonly protocol: TurnProtocol; readonly seenAs: Pick<LinkAddress, 'address' | 'port'> };
}
