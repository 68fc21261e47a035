import type { ProbeArtifacts } from '../../model/artifacts.js';
import { hostOf } from '../../model/probe-host.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Artifacts } from '../wire/trial-data.js';

/** What was kept of the failed probes of a trial, by probe, with what their pages wrote to the console. */
export function keptOf(record: TrialRecord, artifacts: readonly ProbeArtifacts[]): ReadonlyMap<string, Artifacts> {
  const own = artifacts.filter(({ atMs }) => atMs >= record.startedAtMs && atMs <= record.endedAtMs);
  return new Map(
    own.map(({ probe, picture, texts }) => {
      const console = consoleOf(record, probe);
      const all = console === '' ? texts : [...texts, { name: 'page console', text: console }];
      return [probe, { texts: all, ...(isPicture(picture) ? { picture } : {}) }];
    }),
  );
}

function consoleOf({ probes, events }: TrialRecord, probe: string): string {
  const own = probes.find(({ participant }) => participant.id === probe);
  return events
    .flatMap((event) => {
      const isOwn = event.type === 'page-log' && event.page === own?.page && hostOf(event) === hostOf(own);
      return isOwn ? `${event.level}: ${event.text}` : [];
    })
    .join('\n');
}

/** A run directory may have been changed by hand: nothing but a small JPEG is shown. */
function isPicture(picture: string | undefined): picture is string {
  return picture !== undefined && /^data:image\/jpeg;base64,[A-Za-z0-9+/=]+$/.test(picture);
}
