import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { exampleOf, type ServerKind } from '../../server-setup/server-kind.js';
import { influxWriter } from '../../store/influx/http-write.js';
import { readInfluxAddress } from '../../store/influx/influx-address.js';
import { readRun } from '../../store/read-run.js';
import { influxHelp, influxLogin } from '../options/influx-flags.js';
import type { ToolProcess } from '../process.js';

/** InfluxDB may take so long to come back before an export gives up. */
const patienceMs = 15_000;

const help = ({ name }: ReturnType<typeof exampleOf>) => `
Points have the tags and times that they had or would have had while the run went on, so what is there already stays as it
is, and a run can be exported again at any time. The name of the run's folder is the tag "run".

${influxHelp}

Examples:
  loadline export runs/2026-11-21T14-03-12-one-to-one-${name} --influx http://127.0.0.1:8086?db=loadline`;

export function addExport(
  program: Command,
  tool: ToolProcess,
  onExitCode: (code: number) => void,
  kinds: readonly ServerKind[],
): void {
  program
    .command('export')
    .summary('send a stored run to InfluxDB')
    .description('Sends every point of a stored run to InfluxDB, also what it did not take while the run went on.')
    .argument('<run>', 'the folder of a run')
    .requiredOption('--influx <url>', 'the InfluxDB that gets the points')
    .addHelpText('after', help(exampleOf(kinds)))
    .allowExcessArguments(false)
    .action(async (path: string, flags: { readonly influx: string }) => {
      onExitCode(await exportStored(path, flags.influx, tool));
    });
}

async function exportStored(path: string, address: string, tool: ToolProcess): Promise<number> {
  const target = readInfluxAddress(address);
  const stored = await readRun(resolve(tool.workingFolder, path));
  // Loaded late: other commands need no InfluxDB client.
  const { exportRun } = await import('../../store/influx/export-run.js');
  const { LineSender } = await import('../../store/influx/line-sender.js');
  const { accountText } = await import('../../store/influx/send-account.js');
  let trouble = 'nothing more is known';
  const sender = new LineSender({
    write: influxWriter(target, influxLogin(tool.env)),
    patienceMs,
    onTrouble: (text) => {
      trouble = text;
      tool.stderr.write(`InfluxDB ${target.label} ${text}\n`);
    },
  });
  const warnings = await exportRun(stored, basename(stored.directory), sender);
  await sender.close();
  for (const warning of [...stored.warnings, ...warnings]) tool.stderr.write(`warning: ${warning}\n`);
  tool.stdout.write(`${accountText(`InfluxDB ${target.label}`, sender)}\n`);
  if (sender.account.lost === 0) return 0;
  throw new LoadlineError('E_INFLUX', `InfluxDB did not take ${sender.account.lost} points of this run.`, {
    where: target.label,
    why: sender.refused ?? trouble,
    todo: 'see that it runs, that the database is there and the login may write to it; then export again',
  });
}
