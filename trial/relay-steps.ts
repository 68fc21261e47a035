import type { TrialDesk } from './trial-desk.js';

/** Credentials outlive the phases that are bounded by the plan by this much: browsers start, others are waited for. */
const spareMs = 10 * 60_000;

/** The relay of this trial, when the plan has one. Throws E_TURN_START, E_TURN_UNREACHABLE. */
export async function openRelay(desk: TrialDesk): Promise<void> {
  const { parts, turn, plan } = desk.setting;
  if (!parts.relay || !turn) return;
  const { settleMs, measureMs, pacePerSecond } = plan.timing;
  const joiningMs = (desk.participants.length * 1000) / pacePerSecond + plan.thresholds.joinMsMax;
  const onLost = (detail: string): void => desk.end({ kind: 'turn-lost', detail, ours: turn.ours });
  desk.relay = await parts.relay.open({ lifetimeMs: joiningMs + settleMs + measureMs + spareMs, onLost }, desk.signal);
}

/** Asks it what it carried, when every probe has left, and closes it. */
export async function closeRelay(desk: TrialDesk): Promise<void> {
  const { relay } = desk;
  if (!relay) return;
  desk.relay = undefined;
  desk.turnUsage = await relay.usage?.();
  await relay.close();
}
