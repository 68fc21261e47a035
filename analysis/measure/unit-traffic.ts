import type { ScenarioUnit } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import { sum } from '../statistics/statistics.js';

/** Payload alone: getStats counts no headers in bytesReceived and bytesSent (webrtc-stats). */
export function probesMbps(trial: TrialRecord, direction: 'send' | 'receive', without: ReadonlySet<string>) {
  // Messages are counted, and not their bytes.
  const streams = trial.streams.filter(
    ({ direction: way, kind, probe }) => way === direction && kind !== 'data' && !without.has(probe),
  );
  const rates = streams.flatMap(({ values: { bitrateKbps } }) => bitrateKbps ?? []);
  // A stream whose rate is not known makes the sum one of something else.
  return trial.streams.length === 0 || rates.length < streams.length ? undefined : sum(rates) / 1000;
}

/** Where a size counts participants: those of roles that do not grow with it, such as presenters. */
export function besideOf({ probes, size }: TrialRecord, unit: ScenarioUnit): ReadonlySet<string> {
  if (!unit.countsParticipants) return new Set();
  const ofRole = (role: string) => probes.filter(({ participant }) => participant.role === role).length;
  const beside = probes.filter(({ participant: { presents, role } }) => presents || ofRole(role) < size);
  return new Set(beside.map(({ participant }) => participant.id));
}
