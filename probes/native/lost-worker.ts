import type { FleetEvent } from '../../model/trial.js';
import type { ProbeCalls } from '../chromium/probe-calls.js';

/** These were played by a process that has ended. */
export function failPlayedBy(
  calls: ProbeCalls,
  probes: readonly string[],
  why: string,
  tell: (event: FleetEvent) => void,
): void {
  const atMs = Date.now();
  const text = `A process of native probes ended (${why}), and with it ${probes.join(', ')}.`;
  tell({ type: 'warning', atMs, text });
  for (const probe of probes) {
    calls.fail(probe, 'page-crashed', 'the process that played this probe ended', { atMs });
  }
}
