import { durationText } from '../../analysis/wording/quantity.js';
import { dueBetween, nextDueMs } from './due-times.js';
import type { MonitorPlan, Watch } from './monitor-file.js';
import type { MonitorParts } from './monitor-parts.js';
import { watchAndConfirm, write } from './watch-once.js';

/** No longer sleep than this: a changed file, a stepped clock and a machine that slept are noticed by then. */
const sliceMs = 30_000;
/** A clock that is further from where it should be than this has been stepped, or the machine slept. */
const stepMs = 10_000;

interface Due {
  readonly watch: Watch;
  readonly dueAtMs: number;
  /** With its jitter. */
  readonly startAtMs: number;
}

/**
 * Runs each watch when it is due, one at a time, until `signal` aborts. A run whose time comes while another watch runs
 * starts late; a time that passes while the watch's own run goes on is missed, and said.
 */
export async function monitorLoop(parts: MonitorParts, signal: AbortSignal): Promise<void> {
  const handled = new Map<string, number>();
  const jitters = new Map<string, number>();
  const jitterOf = (watch: Watch, dueAtMs: number, plan: MonitorPlan) => {
    const key = `${watch.name} ${dueAtMs}`;
    const jitter = jitters.get(key) ?? (plan.jitter ?? 0) * parts.random();
    jitters.clear();
    jitters.set(key, jitter);
    return jitter;
  };
  while (!signal.aborted) {
    const seenMs = parts.clock.nowMs();
    const plan = await parts.plan();
    handleFrom(seenMs, plan, handled);
    const next = earliestOf(plan, handled, jitterOf);
    const before = parts.clock.nowMs();
    const waitMs = Math.min(sliceMs, (next?.startAtMs ?? Number.POSITIVE_INFINITY) - before);
    if (waitMs > 0) {
      if (!(await slept(parts, waitMs, signal))) return;
      const stepped = parts.clock.nowMs() - before - waitMs;
      if (Math.abs(stepped) > stepMs) await sayStepped(parts, stepped, handled);
      continue;
    }
    if (next) await runDue(parts, { plan, ...next }, handled, signal);
  }
}

/** One that is due at other times than before is another one. */
const keyOf = ({ name, cron }: Watch, { zone = '' }: MonitorPlan) => `${name} ${cron} ${zone}`;

/** A watch that is new in the plan is due from now on: it missed nothing. */
function handleFrom(nowMs: number, plan: MonitorPlan, handled: Map<string, number>): void {
  const keys = new Set(plan.watches.map((watch) => keyOf(watch, plan)));
  for (const key of handled.keys()) if (!keys.has(key)) handled.delete(key);
  for (const key of keys) if (!handled.has(key)) handled.set(key, nowMs);
}

function earliestOf(
  plan: MonitorPlan,
  handled: ReadonlyMap<string, number>,
  jitterOf: (watch: Watch, dueAtMs: number, plan: MonitorPlan) => number,
): Due | undefined {
  const due = plan.watches.flatMap((watch) => {
    const dueAtMs = nextDueMs(watch.cron, plan.zone, handled.get(keyOf(watch, plan)) ?? 0);
    return dueAtMs === undefined ? [] : [{ watch, dueAtMs }];
  });
  const first = due.sort((a, b) => a.dueAtMs - b.dueAtMs)[0];
  return first && { ...first, startAtMs: first.dueAtMs + jitterOf(first.watch, first.dueAtMs, plan) };
}

async function runDue(
  parts: MonitorParts,
  { plan, watch, dueAtMs }: Due & { readonly plan: MonitorPlan },
  handled: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const { name, cron } = watch;
  const key = keyOf(watch, plan);
  // Of the times that passed while others ran or the machine slept, the newest is made up for.
  const passed = [dueAtMs, ...dueBetween(cron, plan.zone, dueAtMs, parts.clock.nowMs())];
  const chosen = passed.at(-1) ?? dueAtMs;
  await sayMissed(parts, name, passed.slice(0, -1), 'the monitor was busy or the machine slept');
  handled.set(key, chosen);
  try {
    await watchAndConfirm(parts, { plan, watch, dueAtMs: chosen }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await sayMissed(parts, name, [chosen], 'the monitor was stopped during the run');
    return;
  }
  const during = dueBetween(cron, plan.zone, chosen, parts.clock.nowMs());
  await sayMissed(parts, name, during, 'the run before it had not ended');
  handled.set(key, during.at(-1) ?? chosen);
}

async function slept({ clock }: MonitorParts, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

async function sayMissed(parts: MonitorParts, watch: string, dueAtMs: readonly number[], why: string): Promise<void> {
  if (dueAtMs.length === 0) return;
  const atMs = parts.clock.nowMs();
  await write(parts, { type: 'missed', atMs, watch, dueAtMs, why });
  const times = dueAtMs.length === 1 ? 'a due time' : `${dueAtMs.length} due times`;
  parts.say(atMs, `${watch}  missed ${times}: ${why}`);
}

/** After a step back, what was handled lies in the future; it counts as handled now. */
async function sayStepped(parts: MonitorParts, byMs: number, handled: Map<string, number>): Promise<void> {
  const atMs = parts.clock.nowMs();
  const what = byMs > 0 ? 'was set forward, or the machine slept, by' : 'was set back by';
  const text = `the clock ${what} ${durationText(Math.abs(byMs))}`;
  for (const [key, until] of handled) handled.set(key, Math.min(until, atMs));
  await write(parts, { type: 'note', atMs, text });
  parts.say(atMs, text);
}
