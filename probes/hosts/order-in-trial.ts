import type { PlayedTrial } from './played-trial.js';
import type { Order, OrderReply } from './wire.js';
import type { NetworksOrder } from './wire-networks.js';

/** What concerns the trial that is under way. */
type TrialOrder = Exclude<Order, NetworksOrder | { readonly do: 'reserve' | 'release' | 'calibrate' | 'join' }>;

/** Carries it out. Rejects with what the trial rejects with. */
export async function inTrial(order: TrialOrder, trial: PlayedTrial): Promise<OrderReply> {
  switch (order.do) {
    case 'begin':
      trial.beginAt(order.atMs);
      return { ok: true };
    case 'come':
      trial.comers().come(order.dueMs);
      return { ok: true };
    case 'hang-up':
      await trial.comers().hangUp(order.probes, order.outMs);
      return { ok: true };
    case 'candidate':
      trial.candidate(order.leg, order.candidate);
      return { ok: true };
    case 'renegotiate':
      return { ok: true, answer: await trial.renegotiate(order.leg, order.offer) };
    case 'stop':
      trial.stopJoining();
      return { ok: true };
    case 'leave':
      await trial.leave();
      return { ok: true };
    case 'close':
      await trial.close();
      return { ok: true };
  }
}
