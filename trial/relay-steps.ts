import type { TurnUsage } from '../model/turn.js';
import type { TrialState } from './trial-state.js';

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

/** When every probe has left: closes it, and says what it carried; `undefined` where there is none or nobody counts. */
export async function closeRelay(state: TrialState): Promise<TurnUsage | undefined> {
  const relay = state.giveUpRelay();
  const usage = await relay?.usage?.();
  await relay?.close();
  return usage;
}
