import { cpuUsage } from 'node:process';
import type { ProbeHostReading } from '../../model/evidence.js';
import { HostMeter } from '../ledger/host-meter.js';

/** Load of the host since the last reading, and this process's share, which plays all participants. */
export class GeneratorMeter {
  private readonly host = new HostMeter();
  private last: { readonly atMs: number; readonly usedUs: number } | undefined;

  /** `undefined` where there is no /proc. What this process has started, such as a media server, is none of it. */
  async read(): Promise<ProbeHostReading | undefined> {
    const before = this.last ?? used();
    const reading = await this.host.read();
    const now = used();
    this.last = now;
    const spanMs = now.atMs - before.atMs;
    return reading && { ...reading, probeCores: spanMs > 0 ? (now.usedUs - before.usedUs) / 1000 / spanMs : 0 };
  }
}

function used() {
  const { user, system } = cpuUsage();
  return { atMs: performance.now(), usedUs: user + system };
}
