import { connectionsOf, type NetworkChange } from '../model/run-networks.js';
import type { TurnUsage } from '../model/turn.js';
import { bounded } from './bounded.js';
import { type Signalling, withNamedRelay } from './named-relay.js';
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
  state.findings.add({ network: { checks: result.value } });
  const problems = result.value.flatMap((check) => check.problems);
  if (problems.length === 0) return;
  const text = `The trial did not start, because a network was not as it was set. ${problems.join(' ')}`;
  throw new TrialOver({ kind: 'stuck', text });
}

/** The measured window begins, and with it the times at which networks become others, and what is shown. */
export function beginChanges({ setting, journal, intake, signal }: TrialState): () => void {
  const { networks, clock } = setting.parts;
  networks?.begin(({ network, failure }: NetworkChange) => {
    if (failure !== undefined) journal.warn(`The network "${network}" could not be changed: ${failure}`);
    else journal.note({ type: 'network', atMs: clock.nowMs(), network });
  });
  const ended = new AbortController();
  const onFailure = (leg: string, detail: string) =>
    journal.note({ type: 'server', kind: 'failed', of: 'leg', leg, atMs: clock.nowMs(), detail });
  void intake.asks.begin({ clock, onFailure, signal: AbortSignal.any([signal, ended.signal]) });
  return () => ended.abort();
}

export async function clearNetworks(state: TrialState): Promise<void> {
  const { networks } = state.setting.parts;
  if (!networks) return;
  state.findings.networksCleared(await networks.clear());
}

/** Credentials outlive the phases that are bounded by the plan by this much: browsers start, others are waited for. */
const spareMs = 10 * 60_000;

/** The relay of this trial, when the plan has one. Throws E_TURN_START, E_TURN_UNREACHABLE. */
export async function openRelay(state: TrialState): Promise<void> {
  const { plan } = state;
  const { parts, run } = state.setting;
  const { turn } = run;
  if (!parts.relay || !turn) return;
  const { settleMs, pacePerSecond } = plan.timing;
  const measureMs = state.setting.heldMs ?? plan.timing.measureMs;
  const joiningMs = (state.participants.length * 1000) / pacePerSecond + plan.thresholds.joinMsMax;
  const onLost = (detail: string): void => state.end({ kind: 'turn-lost', detail, ours: turn.ours });
  const lifetimeMs = joiningMs + settleMs + measureMs + spareMs;
  state.goThrough(await parts.relay.open({ lifetimeMs, onLost }, state.signal));
}

/** How probes hear the relay where the media server names it. That it names none ends the trial. */
export function viaRelay(state: TrialState, signalling: Signalling): Signalling {
  const { relay } = state;
  if (!relay || !('among' in relay)) return signalling;
  return withNamedRelay(signalling, relay, (error) => state.end({ kind: 'failed', error }));
}

/** When every probe has left: closes it, and says what it carried; `undefined` where there is none or nobody counts. */
export async function closeRelay(state: TrialState): Promise<TurnUsage | undefined> {
  const relay = state.giveUpRelay();
  const usage = await relay?.usage?.();
  await relay?.close();
  return usage;
}
