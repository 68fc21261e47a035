import { basename } from 'node:path';
import type { Alert, AlertTarget } from '../../alerts/target.js';
import { tell } from '../../alerts/tell-all.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { wallClock } from '../wiring/wall-clock.js';

/** Tells everybody under `alerts` of a test. 0 when all have taken it, else 1. Throws E_USAGE where nobody is named. */
export async function testAlert(path: string, targets: readonly AlertTarget[], tool: ToolProcess): Promise<number> {
  const file = basename(path);
  if (targets.length === 0) {
    const todo = 'name a webhook, a mail or a command under alerts: see docs/reference/monitoring.md';
    throw usageError(`${file} names nobody to tell.`, ['--test-alert', path], todo);
  }
  const atMs = wallClock.nowMs();
  const alert: Alert = {
    type: 'alert',
    id: `${file}@${new Date(atMs).toISOString()}`,
    atMs,
    watch: file,
    kind: 'test',
    level: 'ok',
    text: `A test of the alerts of ${file}. No watch has changed.`,
    reasons: [],
  };
  const told = await Promise.all(targets.map((one) => tell(one, alert, wallClock, new AbortController().signal)));
  for (const { target, ok, error } of told)
    tool.stdout.write(ok ? `told ${target}\n` : `could not tell ${target}: ${error}\n`);
  return told.every(({ ok }) => ok) ? 0 : 1;
}
