import { connectionsOf, type NetworkChange } from '../model/run-networks.js';
import { bounded } from './bounded.js';
import type { TrialDesk } from './trial-desk.js';
import { TrialOver } from './trial-end.js';

/**
 * Shapes the networks of the plan and measures them. One that is not as it was set makes the trial void before anybody has
 * joined. Throws E_NETWORK, E_NETWORK_LINK.
 */
export async function shapeNetworks(desk: TrialDesk): Promise<void> {
  const { networks, clock } = desk.setting.parts;
  if (!networks) return;
  networks.watch((detail) => desk.end({ kind: 'stuck', text: `The impaired network went away: ${detail}.` }));
  const boundMs = networks.applyBoundMs;
  const result = await bounded(clock, boundMs, (late) =>
    networks.apply(connectionsOf(desk.participants), AbortSignal.any([desk.signal, late])),
  );
  desk.goOn();
  if (!result.inTime) {
    throw new TrialOver({ kind: 'stuck', text: `The networks were not ready within ${boundMs / 1000} s.` });
  }
  desk.findings.networksShaped(result.value);
  const problems = result.value.flatMap((check) => check.problems);
  if (problems.length === 0) return;
  const text = `The trial did not start, because a network was not as it was set. ${problems.join(' ')}`;
  throw new TrialOver({ kind: 'stuck', text });
}

/** The measured window begins, and with it the times at which networks become others. */
export function beginChanges({ setting, journal }: TrialDesk): void {
  const { networks, clock } = setting.parts;
  networks?.begin(({ network, failure }: NetworkChange) => {
    if (failure !== undefined) journal.warn(`The network "${network}" could not be changed: ${failure}`);
    else journal.note({ type: 'network', atMs: clock.nowMs(), network });
  });
}

export async function clearNetworks(desk: TrialDesk): Promise<void> {
  const { networks } = desk.setting.parts;
  if (!networks) return;
  desk.findings.networksCleared(await networks.clear());
}
