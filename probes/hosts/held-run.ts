import { lateStartMs } from '../../model/probe-host.js';
import type { NetworkChange } from '../../model/run-networks.js';
import { OnceEach } from './asking.js';
import { HeldNetworks, type MakeNetworks } from './held-networks.js';
import type { PlayedTrial } from './played-trial.js';
import type { OrderReply } from './wire.js';

interface HeldRunOptions {
  readonly lease: string;
  /** Whose it is, for others who want this host. */
  readonly by: string;
  /** Absent: this host impairs no networks. */
  readonly makeNetworks: MakeNetworks | undefined;
  /** The host's clock, epoch milliseconds. */
  readonly now: () => number;
}

/** The run that this host serves, and what it has started here. */
export class HeldRun {
  readonly lease: string;
  readonly by: string;
  readonly orders = new OnceEach<OrderReply>();
  readonly networks: HeldNetworks;
  askedAtMs = performance.now();
  trial?: PlayedTrial;
  calibrating?: AbortController;
  /** The conductor is gone; the host is free again when what it had started has ended. */
  over?: true;

  constructor({ lease, by, makeNetworks: make, now }: HeldRunOptions) {
    this.lease = lease;
    this.by = by;
    this.networks = new HeldNetworks({
      make,
      now,
      onLost: (why) => this.trial?.cannotGoOn(why),
      onChange: (change, lateMs) => this.tellChange(change, lateMs),
    });
  }

  /** Ends all of it. Never rejects. */
  async end(why: string): Promise<void> {
    this.calibrating?.abort(new Error(why));
    await this.trial?.abandon();
    await this.networks.close();
  }

  private tellChange({ network, failure }: NetworkChange, lateMs: number): void {
    if (failure !== undefined) this.trial?.warn(`The network "${network}" could not be changed: ${failure}`);
    else this.trial?.networkChanged(network);
    if (lateMs <= lateStartMs) return;
    this.trial?.warn(`The network "${network}" became another one ${Math.round(lateMs)} ms later than planned.`);
  }
}
