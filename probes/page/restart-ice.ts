import { type Failure, unusable } from './join-watch.js';
import type { FirstMove, HostFunction } from './wire.js';

/** A connection that can restart ICE (RFC 8445, 9). */
export interface Restarting {
  readonly leg: { readonly id: string };
  readonly first: FirstMove;
  /** An offer with new credentials and its candidates. */
  offerRestart(): Promise<string>;
  /** Rejects when it cannot be used. */
  acceptRestart(answer: string): Promise<void>;
  /** Nobody answered it: everything stays as it was. */
  takeBack(): Promise<void>;
}

/** Restarts ICE once when it is asked for, so long from now; what ends that. */
export function restartWhenDue(
  peer: Restarting,
  probe: string,
  host: HostFunction,
  onFailure: (failure: Failure) => void,
): readonly ReturnType<typeof setTimeout>[] {
  const { first } = peer;
  if (first.by !== 'probe' || first.restartIceAfterMs === undefined) return [];
  return [
    setTimeout(
      () => void restart(peer, probe, host).catch((error) => onFailure(unusable(error))),
      first.restartIceAfterMs,
    ),
  ];
}

async function restart(peer: Restarting, probe: string, host: HostFunction): Promise<void> {
  const offer = await peer.offerRestart();
  const reply = await host({ call: 'negotiate', probe, leg: peer.leg.id, offer });
  await (reply?.ok && 'answer' in reply ? peer.acceptRestart(reply.answer) : peer.takeBack());
}
