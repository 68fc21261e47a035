import { mostArtifacts, type ProbeArtifacts } from '../../model/artifacts.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { localHostId, type ProbeHost, type ProbeHostId } from '../../model/probe-host.js';
import type { Sample } from '../../model/sample.js';
import { sampleOn } from '../../model/sample-line.js';
import type { FleetEvent } from '../../model/trial.js';
import type { FleetListener } from '../fleet.js';
import { HostMeter } from './host-meter.js';

/** The host that a fleet of this process plays on: whatever the fleet tells names it. */
export class OwnHost {
  readonly id: ProbeHostId;
  private readonly meter = new HostMeter();
  /** How many failed probes have told what they saw. */
  private kept = 0;

  constructor(
    id: ProbeHostId | undefined,
    private readonly listener: FleetListener,
  ) {
    this.id = id ?? localHostId;
  }

  /** Its clock is what all times of the fleet are told by; what it is against another host's, that host knows. */
  hosts(): readonly ProbeHost[] {
    return [{ id: this.id, besideConductor: true }];
  }

  /** The processes that count as probes. */
  watch(roots: ReadonlySet<number>): void {
    this.meter.watch(roots);
  }

  /** None where there is no /proc. */
  async read(): Promise<readonly ProbeHostReading[]> {
    const reading = await this.meter.read();
    return reading ? [{ host: this.id, ...reading }] : [];
  }

  samples(samples: readonly Sample[]): void {
    this.listener.onSamples(samples.map((sample) => sampleOn(this.id, sample)));
  }

  /** Of the first probes that fail. */
  artifacts(artifacts: ProbeArtifacts): void {
    this.kept += 1;
    if (this.kept <= mostArtifacts) this.listener.onArtifacts?.({ host: this.id, ...artifacts });
  }

  event(event: FleetEvent): void {
    this.listener.onEvent({ ...event, host: this.id });
  }
}
