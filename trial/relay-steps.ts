import type { TurnUsage } from '../model/turn.js';
import type { TrialDesk } from './trial-desk.js';

/** Credentials outlive the phases that are bounded by the plan by this much: browsers start, others are waited for. */
const spareMs = 10 * 60_000;

/** The relay of this trial, when the plan has one. Throws E_TURN_START, E_TURN_UNREACHABLE. */
export async function openRelay(desk: TrialDesk): Promise<void> {
  const { plan } = desk;
  const { parts, run } = desk.setting;
  const { turn } = run;
  if (!parts.relay || !turn) return;
  const { settleMs, pacePerSecond } = plan.timing;
  const measureMs = desk.setting.heldMs ?? plan.timing.measureMs;
  const joiningMs = (desk.participants.length * 1000) / pacePerSecond + plan.thresholds.joinMsMax;
  const onLost = (detail: string): void => desk.end({ kind: 'turn-lost', detail, ours: turn.ours });
  const lifetimeMs = joiningMs + settleMs + measureMs + spareMs;
  desk.goThrough(await parts.relay.open({ lifetimeMs, onLost }, desk.signal));
}

/** When every probe has left: closes it, and says what it carried; `undefined` where there is none or nobody counts. */
export async function closeRelay(desk: TrialDesk): Promise<TurnUsage | undefined> {
  const relay = desk.giveUpRelay();
  const usage = await relay?.usage?.();
  await relay?.close();
  return usage;
}
