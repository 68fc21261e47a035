import type { TurnProtocol } from '../model/turn.js';

/** Where the media server can send to. */
export interface LinkAddress {
  readonly address: string;
  readonly port: number;
  /** At a TURN server: how to reach it, and what it sees of the probe (in relay candidates, RFC 8839, 5.1). */
  readonly relayed?: {
    readonly protocol: TurnProtocol;
    readonly url: string;
    readonly seenAs: Pick<LinkAddress, 'address' | 'port'>;
  };
}
