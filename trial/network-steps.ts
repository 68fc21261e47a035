import { connectionsOf, type NetworkChange } from '../model/run-networks.js';
import { bounded } from './bounded.js';
import { TrialOver } from './trial-end.js';
import type { TrialState } from './trial-state.js';

/**
 * Shapes the networks of the plan and measures them. One that is not as it was set makes the trial void before anybody
 * has joined. Throws E_NETWORK, E_NETWORK_LINK.
 */
export async function shapeNetworks(state: TrialState): Promise<void> {
  const { networks, clock } = state.setting.parts;
  if (!networks) return;
  networks.watch((detail) => state.end({ kind: 'stuck', text: `The impaired network went away: ${detail}.` }));
  const boundMs = networks.applyBoundMs;
  const result = await bounded(clock, boundMs, (late) =>
    networks.apply(connectionsOf(state.participants), AbortSignal.any([state.signal, late])),
  );
  state.goOn();
  if (!result.inTime) {
    throw new TrialOver({ kind: 'stuck', text: `The networks were not ready within ${boundMs / 1000} s.` });
  }
  state.findings.networksShaped(result.value);
  const problems = result.value.flatMap((check) => check.problems);
  if (problems.length === 0) return;
  const text = `The trial did not start, because a network was not as it was set. ${problems.join(' ')}`;
  throw new TrialOver({ kind: 'stuck', text });
}

/** The measured window begins, and with it the times at which networks become others. */
export function beginChanges({ setting, journal }: TrialState): void {
  const { networks, clock } = setting.parts;
  networks?.begin(({ network, failure }: NetworkChange) => {
    if (failure !== undefined) journal.warn(`The network "${network}" could not be changed: ${failure}`);
    else journal.note({ type: 'network', atMs: clock.nowMs(), network });
  });
}

export async function clearNetworks(state: TrialState): Promise<void> {
  const { networks } = state.setting.parts;
  if (!networks) return;
  state.findings.networksCleared(await networks.clear());
}
