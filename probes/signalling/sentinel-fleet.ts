import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Fleet, JoinOptions, StartFleet } from '../fleet.js';

/** Signalling participants with browsers beside them: who comes and goes signals, and all others are browsers. */
export function sentinelFleets(startBrowsers: StartFleet, startSignalling: StartFleet): StartFleet {
  return (options, listener) => new SentinelFleet(startBrowsers(options, listener), startSignalling(options, listener));
}

/** Both on one host. The probes are the browsers alone. */
class SentinelFleet implements Fleet {
  constructor(
    private readonly browsers: Fleet,
    private readonly signalling: Fleet,
  ) {}

  join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    return (options.arriving ? this.signalling : this.browsers).join(participants, options);
  }

  hosts(): readonly ProbeHost[] {
    return this.browsers.hosts();
  }

  records(): readonly ProbeRecord[] {
    return this.browsers.records();
  }

  /** One reading of the host: what its participants take is what the browsers and this process do together. */
  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const [[browsers], [signalling]] = await Promise.all([this.browsers.readHosts(), this.signalling.readHosts()]);
    if (!browsers || !signalling) return [browsers, signalling].flatMap((reading) => reading ?? []);
    return [{ ...browsers, probeCores: browsers.probeCores + signalling.probeCores }];
  }

  async leave(): Promise<void> {
    await Promise.all([this.browsers.leave(), this.signalling.leave()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.browsers.close(), this.signalling.close()]);
  }
}
