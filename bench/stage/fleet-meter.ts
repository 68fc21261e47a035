import type { ChildProcess } from 'node:child_process';
import { cpuUsage, memoryUsage, resourceUsage } from 'node:process';
import type { RunEvent } from '../../model/run-event.js';
import type { StartFleet } from '../../probes/fleet.js';
import { bytesReadBy, cpuSecondsOf, folderBytes } from './process-use.js';

interface Used {
  readonly busSeconds: number;
  readonly busBytes: number;
  readonly hostSeconds: number;
}

/** Reads of conductor, bus and hosts while the trial is measured. */
export class FleetMeter {
  private readonly rssMb: number[] = [];
  private began: Promise<Used> | undefined;
  private ended: Promise<Used> | undefined;
  private used = cpuUsage();
  private conductorSeconds = 0;
  private lastSampleMs = 0;
  private verdictMs = 0;
  private verdict = '';
  private busDiskMb = 0;
  samples = 0;

  constructor(
    private readonly busPid: number,
    private readonly busFolder: string,
    private readonly hosts: readonly ChildProcess[],
  ) {}

  /** Counts what comes to the conductor. */
  readonly counted =
    (startFleet: StartFleet): StartFleet =>
    (options, listener) =>
      startFleet(options, {
        onSamples: (samples) => {
          this.samples += samples.length;
          this.lastSampleMs = performance.now();
          listener.onSamples(samples);
        },
        onEvent: (event) => listener.onEvent(event),
      });

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === 'phase' && event.phase === 'measure') {
      this.used = cpuUsage();
      this.began = this.usedNow();
    }
    if (event.type === 'second' && event.progress.phase === 'measure') {
      this.rssMb.push(memoryUsage.rss() / 1e6);
      void folderBytes(this.busFolder).then((bytes) => {
        this.busDiskMb = Math.max(this.busDiskMb, bytes / 1e6);
      });
    }
    if (event.type === 'phase' && event.phase === 'leave') {
      const { user, system } = cpuUsage(this.used);
      this.conductorSeconds = (user + system) / 1e6;
      this.ended = this.usedNow();
    }
    if (event.type === 'trial-ended') {
      this.verdictMs = performance.now() - this.lastSampleMs;
      this.verdict = event.record.verdict.kind;
    }
  };

  async cells(seconds: number) {
    const [began, ended] = await Promise.all([this.began, this.ended]);
    const grown = (of: (used: Used) => number) => (began && ended ? of(ended) - of(began) : Number.NaN);
    const cores = (used: number) => `${(used / seconds).toFixed(3)} of a core`;
    const { rssMb } = this;
    return {
      conductor: [
        cores(this.conductorSeconds),
        ...[rssMb[Math.floor(rssMb.length / 10)], rssMb.at(-1)].map((mb) => `${mb?.toFixed(0)} MB`),
        `${((resourceUsage().maxRSS * 1024) / 1e6).toFixed(0)} MB`,
      ],
      bus: [
        cores(grown(({ busSeconds }) => busSeconds)),
        `${(grown(({ busBytes }) => busBytes) / 1e6 / seconds).toFixed(2)} MB/s`,
        `${this.busDiskMb.toFixed(0)} MB`,
      ],
      hosts: cores(grown(({ hostSeconds }) => hostSeconds)),
      verdictTook: `${(this.verdictMs / 1000).toFixed(1)} s`,
      verdict: this.verdict,
    };
  }

  private async usedNow(): Promise<Used> {
    const hosts = await Promise.all(this.hosts.map(({ pid = 0 }) => cpuSecondsOf(pid)));
    return {
      busSeconds: await cpuSecondsOf(this.busPid),
      busBytes: await bytesReadBy(this.busPid),
      hostSeconds: hosts.reduce((sum, one) => sum + one, 0),
    };
  }
}
