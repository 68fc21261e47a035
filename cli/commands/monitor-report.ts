import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { historiesOf } from '../../analysis/monitor/stability.js';
import { monitorPage } from '../../analysis/report/monitor-page.js';
import { monitorText } from '../../analysis/report/monitor-text.js';
import { LoadlineError } from '../../model/errors.js';
import type { MonitorEntry } from '../../model/monitor.js';
import { readMonitorJournal } from '../../store/monitor/monitor-journal.js';
import { writeNamedFile } from '../../store/run-directory/store-error.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { outputFlags } from '../options/run-flags.js';
import { hours } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { wallClock } from '../wiring/wall-clock.js';

const reportFlags = {
  out: { takes: 'dir', about: 'the folder of the monitor', usual: 'runs' },
  last: { about: 'only the runs of the last so many hours: 24h', value: hours },
  html: { takes: 'file', about: 'write it as one HTML page, too' },
  format: outputFlags.format,
} as const satisfies Flags;

type ReportWords = WordsOf<typeof reportFlags>;

const help = `
Examples:
  loadline monitor report
  loadline monitor report --out /var/lib/loadline --html stability.html
  loadline monitor report --last 24h --format json`;

export function addMonitorReport(monitor: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = monitor
    .command('report')
    .summary('how stable it was over time')
    .description('Says how often each watch was stable, what moves, and what was told.');
  addFlags(command, reportFlags)
    .addHelpText('after', help)
    .action(async (_: unknown, command: Command) => {
      // `monitor` has an --out, too, and takes the one that stands behind `report`.
      const flags = { ...command.opts<ReportWords>(), ...fromParent(command) };
      await report(flags, tool);
      onExitCode(0);
    });
}

function fromParent(command: Command): Partial<ReportWords> {
  const { parent } = command;
  return parent?.getOptionValueSource('out') === 'cli' ? { out: String(parent.getOptionValue('out')) } : {};
}

async function report(flags: ReportWords, tool: ToolProcess): Promise<void> {
  const { format, last: lastMs } = readFlags(reportFlags, flags);
  const out = resolve(tool.workingFolder, flags.out);
  const journal = await readMonitorJournal(out);
  if (journal.length === 0) {
    const parts = { where: out, todo: 'name the --out of loadline monitor' };
    throw new LoadlineError('E_RUN', 'No monitor has run in this folder.', parts);
  }
  const nowMs = wallClock.nowMs();
  const histories = historiesOf(
    lastMs === undefined ? journal : journal.filter((entry) => timeOf(entry) >= nowMs - lastMs),
  );
  if (flags.html !== undefined) {
    const file = resolve(tool.workingFolder, flags.html);
    const page = monitorPage(histories, new Date(nowMs).toISOString().slice(0, 16), (run) =>
      linkTo(run, out, dirname(file)),
    );
    await writeNamedFile(file, page);
  }
  tool.stdout.write(
    format === 'json' ? `${JSON.stringify({ watches: histories }, null, 2)}\n` : monitorText(histories),
  );
}

function timeOf(entry: MonitorEntry): number {
  return entry.type === 'run' ? entry.startedAtMs : entry.atMs;
}

/** To the run's own report where one was made, else to its folder; undefined when the run is gone. */
function linkTo(run: string, out: string, from: string): string | undefined {
  const found = [join(out, run, 'report.html'), join(out, run)].find((path) => existsSync(path));
  return found && relative(from, found).split(sep).map(encodeURIComponent).join('/');
}
