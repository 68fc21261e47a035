import { basename } from 'node:path';
import type { Command } from 'commander';
import type { LoadlineError } from '../../model/errors.js';
import { exampleOf, type Kinds } from '../../server-setup/server-kind.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import type { AskedSink } from '../../store/sink-kind.js';
import { addFlags } from '../options/flag.js';
import { exportKinds, exampleOf as flagExample, readSinks, sinkFlags, sinkHelp } from '../options/sink-flags.js';
import { type TrustFlags, trustFlags, trustOf } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { withAnswer } from '../report/finished-run.js';
import { namedRunFolder, openRun } from '../report/open-run.js';

/** An export gives up when the other side takes nothing for so long. */
const patienceMs = 15_000;

const help = ({ name }: ReturnType<typeof exampleOf>) => `
Points have the tags and times that they had or would have had while the run went on, so what is there already stays as it
is, and a run can be exported again at any time. The name of the run's folder is the tag "run".

${sinkHelp(exportKinds)}

Examples:
  loadline export runs/2026-11-21T14-03-12-one-to-one-${name} --influx 'http://127.0.0.1:8086?db=loadline'`;

export function addExport(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('export')
    .summary('send a stored run elsewhere, such as to InfluxDB')
    .description('Sends every point of a stored run elsewhere, also what was not taken while the run went on.')
    .argument('<run>', 'the folder of a run, its name, a tag or latest');
  addFlags(command, { ...sinkFlags('exportSummary'), ...trustFlags })
    .addHelpText('after', help(exampleOf(kinds)))
    .action(async (path: string, flags: TrustFlags) => {
      onExitCode(await exportStored(path, flags, tool));
    });
}

async function exportStored(path: string, flags: TrustFlags, tool: ToolProcess): Promise<number> {
  const asked: readonly AskedSink[] = readSinks(flags);
  if (asked.length === 0) {
    const todo = `add ${exportKinds.map(flagExample).join(' or ')}`;
    throw usageError('Nothing says where the run is to be sent.', ['loadline export'], todo);
  }
  const stored = withAnswer(await openRun(await namedRunFolder(path, tool), trustOf(flags)));
  for (const warning of stored.warnings) tool.stderr.write(`warning: ${warning}\n`);
  const failures: LoadlineError[] = [];
  for (const sink of asked) failures.push(...(await exportTo(sink, stored, tool)));
  if (failures[0]) throw failures[0];
  return 0;
}

/** Each is told what it took, also when another one took nothing. */
async function exportTo(asked: AskedSink, stored: StoredRun, tool: ToolProcess): Promise<readonly LoadlineError[]> {
  // Loaded late: no other command needs it.
  const { exportRun } = await import('../../store/points/export-run.js');
  const { accountText } = await import('../../store/points/point-sink.js');
  let trouble = 'nothing more is known';
  const onTrouble = (text: string) => {
    trouble = text;
    tool.stderr.write(`${asked.description} ${text}\n`);
  };
  const to = await asked.open({ env: tool.env, patienceMs, onTrouble });
  const warnings = await exportRun(stored, basename(stored.directory), to);
  await to.close();
  for (const warning of warnings) tool.stderr.write(`warning: ${warning}\n`);
  tool.stdout.write(`${accountText(to, `loadline export RUN ${flagExample(asked.kind)}`)}\n`);
  const { lost } = to.account;
  return lost === 0 ? [] : [asked.notTaken(lost, to.refused ?? trouble)];
}
