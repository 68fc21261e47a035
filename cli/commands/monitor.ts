import type { Command } from 'commander';
import type { Kinds } from '../../server-setup/server-kind.js';
import { exitCodeLines } from '../exit-codes.js';
import { monitorFlags } from '../monitor/monitor-flags.js';
import { addFlags, type WordsOf } from '../options/flag.js';
import type { ToolProcess } from '../process.js';
import { addMonitorReport } from './monitor-report.js';

const help = `
FILE names the watches: a plan each, a size (a number, "80% of limit", or find) and a cron expression; and who is told
when one gets worse or good again. It stays in the foreground and prints a line for each run.

Exit codes with --once:
${exitCodeLines('check')}

Examples:
  loadline monitor monitor.yaml --test-alert         does a mail, a webhook, a command reach somebody?
  loadline monitor monitor.yaml
  loadline monitor monitor.yaml --once               for cron, systemd timers and Kubernetes CronJobs
  loadline monitor report --out runs --html stability.html`;

export function addMonitor(
  program: Command,
  tool: ToolProcess,
  onExitCode: (code: number) => void,
  kinds: Kinds,
): void {
  const command = program
    .command('monitor')
    .summary('run plans on a schedule for days, and tell when they get worse')
    .description('Runs plans on a schedule, compares each run with those before it, and tells of changes.')
    .argument('<file>', 'a monitor file: monitor.yaml');
  addFlags(command, monitorFlags)
    .addHelpText('after', help)
    .action(async (file: string, flags: WordsOf<typeof monitorFlags>) => {
      // Loaded late, as all that only a monitor needs.
      const { monitor } = await import('../monitor/run-monitor.js');
      onExitCode(await monitor(file, flags, tool, kinds));
    });
  addMonitorReport(command, tool, onExitCode);
}
