import { mostArtifacts } from '../../model/artifacts.js';
import type { FleetListener } from '../fleet.js';

/** Of a trial a host tells so many events, and so many more for each of its probes. */
const mostEvents = 2_000;
const mostOfProbe = 200;

/**
 * What one host tells of a trial, up to a bound: one that tells without end would fill the memory and the disk of who conducts. Past it the
 * host is lost, which is told itself; nobody hears it after that.
 */
export function boundedListener(listener: FleetListener, probes: number, lose: (why: string) => void): FleetListener {
  let [events, artifacts, isPast] = [0, 0, false];
  return {
    onSamples: (samples) => listener.onSamples(samples),
    onEvent: (event) => {
      events += 1;
      if (!isPast && events > mostEvents + mostOfProbe * probes) {
        isPast = true;
        lose('it told more than a host has to tell of a trial');
      } else listener.onEvent(event);
    },
    onArtifacts: (kept) => {
      artifacts += 1;
      if (artifacts <= mostArtifacts) listener.onArtifacts?.(kept);
    },
  };
}
