import type { StunProtocol } from 'werift';

/** What of a werift ICE connection makes a check. */
export interface Checking {
  readonly localUsername: string;
  readonly remoteUsername: string;
  readonly remotePassword: string;
  readonly iceControlling: boolean;
  buildRequest(of: {
    readonly nominate: boolean;
    readonly localUsername: string;
    readonly remoteUsername: string;
    readonly iceControlling: boolean;
  }): Parameters<StunProtocol['sendStun']>[0];
}

export interface CheckedPair {
  readonly protocol: object;
  readonly remoteAddr: readonly [string, number];
}

type Transactions = Record<string, { readonly responseReceived: () => void; readonly cancel: () => void }>;

/** What goes through a relay is answered in the transactions of its TURN client. */
interface CheckedProtocol {
  readonly transactions?: Transactions;
  readonly turn?: { readonly transactions: Transactions };
  sendStun(request: object, address: readonly [string, number]): Promise<void>;
}

export interface RoundTripBounds {
  readonly withinMs: number;
  /** When the check leaves that is sent now, by `performance.now()`. */
  readonly leavesAtMs: () => number;
  /** When what is handled now came, by `performance.now()`. */
  readonly heardAtMs: () => number;
}

/**
 * The round trip of one connectivity check, milliseconds; `undefined` when no answer comes within `withinMs`. It is sent once: werift's own
 * transactions send again after 50 ms, and over a longer way nobody knows then which of them was answered.
 */
export async function roundTrip(
  connection: Checking,
  { protocol, remoteAddr }: CheckedPair,
  { withinMs, leavesAtMs, heardAtMs }: RoundTripBounds,
): Promise<number | undefined> {
  const { localUsername, remoteUsername, remotePassword, iceControlling } = connection;
  const request = connection.buildRequest({ nominate: false, localUsername, remoteUsername, iceControlling });
  request.addMessageIntegrity(Buffer.from(remotePassword, 'utf8'));
  request.addFingerprint();
  const own = protocol as CheckedProtocol;
  const transactions = own.turn?.transactions ?? own.transactions ?? {};
  const id = request.transactionIdHex;
  const sentAtMs = leavesAtMs();
  return new Promise((resolve) => {
    const end = (ms: number | undefined): void => {
      clearTimeout(late);
      delete transactions[id];
      resolve(ms);
    };
    const late = setTimeout(() => end(undefined), withinMs);
    transactions[id] = {
      responseReceived: () => end(Math.max(0, heardAtMs() - sentAtMs)),
      cancel: () => end(undefined),
    };
    own.sendStun(request, remoteAddr).catch(() => end(undefined));
  });
}
