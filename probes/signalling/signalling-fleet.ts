import { LoadlineError } from '../../model/errors.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { localHostId, type ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { areComing, ComingAndGoing, type FleetClock } from '../coming-and-going.js';
import type { Fleet, JoinOptions, StartFleet } from '../fleet.js';
import { joinAlone } from './join-alone.js';

/**
 * Participants that speak the server's signalling and send no media: they are due, offer, are answered, stay, and
 * leave. All of them are this process, so that a core plays thousands. None of them is ever up, for nothing connects:
 * they are told as joins, and not as probes.
 */
export function signallingFleets(clock: FleetClock, readHost: () => Promise<ProbeHostReading | undefined>): StartFleet {
  return () => new SignallingFleet(clock, readHost);
}

class SignallingFleet implements Fleet {
  private readonly coming: ComingAndGoing;

  constructor(
    clock: FleetClock,
    private readonly readHost: () => Promise<ProbeHostReading | undefined>,
  ) {
    this.coming = new ComingAndGoing(clock, { join: joinAlone });
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    if (!areComing(options)) throw new LoadlineError('E_INTERNAL', 'Who signals alone comes and goes.');
    return this.coming.join(participants, options);
  }

  hosts(): readonly ProbeHost[] {
    return [{ id: localHostId, besideConductor: true }];
  }

  /** None is a probe. */
  records(): readonly ProbeRecord[] {
    return [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const reading = await this.readHost();
    return reading ? [reading] : [];
  }

  leave(): Promise<void> {
    return this.coming.leave();
  }

  close(): Promise<void> {
    return this.coming.close();
  }
}
