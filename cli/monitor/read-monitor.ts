import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { succeeds } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { withListedServers } from '../options/listed-servers.js';
import { addSearchFlags, readSearchRequest, type SearchWords } from '../options/search-request.js';
import { readTrialRequest } from '../options/trial-request.js';
import { withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { type MonitorPlan, readMonitorFile, type Watch } from './monitor-file.js';
import { argumentsOf } from './run-watch.js';

/**
 * Reads a monitor file, and the plan file of each watch as its run will: better told now than at night. Throws E_PLAN,
 * and what the run would refuse to start with.
 */
export async function readMonitor(path: string, tool: ToolProcess, kinds: Kinds): Promise<MonitorPlan> {
  const monitor = await readMonitorFile(path, tool.env);
  for (const watch of monitor.watches) {
    const { name, plan, size } = watch;
    if (plan === undefined) {
      await assertSimulated(watch, monitor.folder, tool, kinds);
      continue;
    }
    const file = resolve(monitor.folder, plan);
    if (!(await succeeds(access(file)))) {
      throw new LoadlineError('E_PLAN', `The plan file of the watch ${name} is not there.`, {
        where: file,
        todo: 'name a plan file relative to the monitor file',
      });
    }
    await assertRunnable(file, size, tool, kinds);
  }
  return monitor;
}

/** Its words have no lines of their own, so the name of the watch says where it is. */
async function assertSimulated(watch: Watch, folder: string, tool: ToolProcess, kinds: Kinds): Promise<void> {
  // Loaded late: most watches run plans.
  const { assertSimulates } = await import('../commands/simulate.js');
  const [, ...words] = argumentsOf(watch, { folder, out: folder });
  await assertSimulates(words, tool, kinds).catch((error: unknown) => {
    if (!(error instanceof LoadlineError)) throw error;
    const where = [`the watch ${watch.name}, simulate`, ...(error.where ?? '').split('\n')].join(': ');
    throw new LoadlineError(error.code, error.message, { where, why: error.why, todo: error.todo, cause: error });
  });
}

async function assertRunnable(file: string, size: string, tool: ToolProcess, kinds: Kinds): Promise<void> {
  const command = addSearchFlags(new Command().option('--plan <file>'), kinds).setOptionValue('plan', file);
  const { scenario = '', flags, reading } = await withPlanFile<SearchWords>(command, undefined, tool);
  await reading(async () => {
    const words = await withListedServers(flags, tool, kinds);
    return size === 'find' ? readSearchRequest(scenario, words, kinds) : readTrialRequest(scenario, words, kinds);
  });
}
