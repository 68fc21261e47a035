import { commandTarget } from '../../alerts/command.js';
import { mailTarget } from '../../alerts/mail.js';
import type { AlertTarget } from '../../alerts/target.js';
import { webhookTarget } from '../../alerts/webhook.js';
import { saidBy } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { those } from '../../model/those.js';
import type { MonitorJournal } from '../../store/monitor/monitor-journal.js';
import { Retention } from '../../store/run-directory/retention.js';
import type { Env, ToolProcess } from '../process.js';
import { wallClock } from '../wiring/wall-clock.js';
import { changedAtMs, type MonitorPlan } from './monitor-file.js';
import type { MonitorParts } from './monitor-parts.js';
import { runWatch } from './run-watch.js';

interface MonitorWiring {
  /** Of the monitor file, absolute. */
  readonly path: string;
  readonly plan: MonitorPlan;
  /** Reads the file as it is now. */
  readonly read: () => Promise<MonitorPlan>;
  /** Absolute. */
  readonly out: string;
  readonly journal: MonitorJournal;
  readonly tool: ToolProcess;
}

/** A monitor's parts with the real clock, runs and targets. */
export function wireMonitor({ path, plan, read, out, journal, tool }: MonitorWiring): MonitorParts {
  const say = (atMs: number, text: string) =>
    tool.stdout.write(`${new Date(atMs).toISOString().slice(0, 19)}Z  ${text}\n`);
  let retention: { readonly of: string; readonly is: Retention } | undefined;
  return {
    clock: wallClock,
    random: Math.random,
    journal,
    plan: reloading({ path, plan, read }, (text) => say(wallClock.nowMs(), text)),
    retentionOf: ({ keep }) => {
      const options = given({ samplesForMs: keep.samples, budgetBytes: keep.disk });
      const of = JSON.stringify(options);
      if (retention?.of !== of) retention = { of, is: new Retention(out, options) };
      return retention.is;
    },
    targetsOf: (current) => targetsOf(current, out, tool.env),
    run: (watch, { folder }, signal) => runWatch({ watch, folder, out }, tool, signal),
    say,
  };
}

export function targetsOf({ alerts: { webhook, mail, command } }: MonitorPlan, runs: string, env: Env): AlertTarget[] {
  const password = env.LOADLINE_SMTP_PASSWORD;
  return those(
    webhook !== undefined && webhookTarget(webhook),
    mail !== undefined && mailTarget({ ...mail, runs, ...given({ password }) }),
    command !== undefined && commandTarget(command),
  );
}

/** Reads the file again when it was changed. One that is wrong now is said, once, and the plan before it stays. */
function reloading(first: Pick<MonitorWiring, 'path' | 'plan' | 'read'>, say: (text: string) => void) {
  let { plan } = first;
  let readAtMs: number | undefined;
  return async (): Promise<MonitorPlan> => {
    const changed = await changedAtMs(first.path);
    if (readAtMs === undefined || changed === readAtMs) {
      readAtMs = changed;
      return plan;
    }
    readAtMs = changed;
    try {
      plan = await first.read();
      say('the monitor file was changed, and read again');
    } catch (error) {
      say(`the monitor file was changed, but cannot be used: ${saidBy(error)} The plan before it stays.`);
    }
    return plan;
  };
}
