import type { ProbeHostId } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { HostRecord } from './host-messages.js';

/** Which records of probes were not told yet as they are now. */
export class ChangedRecords {
  /** By participant. A record is the same object for as long as nothing of it has changed. */
  private readonly told = new Map<string, { readonly record: ProbeRecord; readonly json: string }>();

  constructor(private readonly host: ProbeHostId) {}

  among(records: readonly ProbeRecord[]): HostRecord[] {
    return records.flatMap((record) => {
      const { participant, ...rest } = record;
      const known = this.told.get(participant.id);
      if (known?.record === record) return [];
      const changed = { ...rest, host: this.host, probe: participant.id };
      const json = JSON.stringify(changed);
      this.told.set(participant.id, { record, json });
      return known?.json === json ? [] : [changed];
    });
  }
}
