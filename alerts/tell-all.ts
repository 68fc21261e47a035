import type { ToldEntry } from '../model/monitor.js';
import type { Alert, AlertTarget } from './target.js';

/** Waits between attempts, milliseconds. What still fails is tried again after the next run. */
const retryWaitsMs: readonly number[] = [1000, 5000];
const attemptMs = 20_000;

interface Telling {
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Tells one target of one alert, again after a wait when it fails. Never rejects: what became of it is the entry. */
export async function tell(target: AlertTarget, alert: Alert, clock: Telling, signal: AbortSignal): Promise<ToldEntry> {
  let error = 'not tried';
  for (const waitMs of [0, ...retryWaitsMs]) {
    try {
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      signal.throwIfAborted();
      await target.tell(alert, AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]));
      return { type: 'told', atMs: clock.nowMs(), alert: alert.id, target: target.name, ok: true };
    } catch (failure) {
      error = failure instanceof Error ? failure.message : String(failure);
      if (signal.aborted) break;
    }
  }
  return { type: 'told', atMs: clock.nowMs(), alert: alert.id, target: target.name, ok: false, error };
}
