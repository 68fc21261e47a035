import { Command, CommanderError } from 'commander';
import { serverKinds } from '../server-setup/kinds.js';
import { exampleOf, type ServerKind } from '../server-setup/server-kind.js';
import { addCalibrate } from './commands/calibrate.js';
import { addCapacity } from './commands/capacity.js';
import { addCompare } from './commands/compare.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addExport } from './commands/export.js';
import { addFind } from './commands/find.js';
import { addHelp } from './commands/help.js';
import { addHost } from './commands/host.js';
import { addHostWatch } from './commands/host-watch.js';
import { addHosts } from './commands/hosts.js';
import { addJudge } from './commands/judge.js';
import { addLinkEnd } from './commands/link-end.js';
import { addMonitor } from './commands/monitor.js';
import { addPlan } from './commands/plan.js';
import { addReport } from './commands/report.js';
import { addRuns } from './commands/runs.js';
import { addServe } from './commands/serve.js';
import { addSimulate } from './commands/simulate.js';
import { addStudy } from './commands/study.js';
import { addTry } from './commands/try.js';
import { addVisit } from './commands/visit.js';
import { exitCodeLines } from './exit-codes.js';
import { foldedHelp, helpOf, showsAll } from './help-text.js';
import { mistyped } from './mistyped.js';
import type { ToolProcess } from './process.js';
import { renderError } from './render-error.js';
import { versionAndBuild } from './version.js';

const intro = 'Finds how many WebRTC sessions a media-server host carries before any participant notices.';

const examples = (url: string) => `
Exit codes:
${exitCodeLines('other')}

Examples:
  loadline demo                                      a real stored run, in some seconds
  loadline find one-to-one --egress-limit 3mbit      a server of our own with a known limit
  loadline find one-to-one --server ${url}
  loadline plan one-to-one --max 32                  what that would take, starting nothing
  loadline try one-to-one --size 4                   one trial, no search
  loadline calibrate                                 how many probes this host carries
  loadline find visit --url 'https://meet.example/{session}'   a web app of your own
  loadline simulate one-to-one --capacity 18         a search without server and browser
  loadline capacity runs/A --for '10000 viewers'     how many hosts that takes
  loadline study study.yaml                          several servers in turns, ranked
  loadline monitor monitor.yaml                      again and again for days, with alerts
  loadline serve --port 8888                         the embedded media server alone
  loadline host --bus nats://10.0.0.5:4222           this machine plays probes of runs elsewhere`;

/** Wider lines are hard to read. */
const helpColumns = ({ stdout }: ToolProcess) => Math.min(stdout.columns, 100);

/** Runs the command that the arguments name. Resolves with the exit code, never rejects: errors are on stderr. */
export async function runCommandLine(tool: ToolProcess, kinds: readonly ServerKind[] = serverKinds): Promise<number> {
  let exitCode = 0;
  const program = commandLine(
    tool,
    (code) => {
      exitCode = code;
    },
    kinds,
  );
  try {
    if (tool.args.length === 0) program.outputHelp();
    else await program.parseAsync(tool.args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (isQuietEnd(error)) return 0;
    const shown = renderError(error instanceof CommanderError ? mistyped(error, program, tool.args) : error);
    tool.stderr.write(shown.text);
    return shown.exitCode;
  }
}

function commandLine(tool: ToolProcess, onExitCode: (code: number) => void, kinds: readonly ServerKind[]): Command {
  const program = new Command('loadline')
    .description(intro)
    .version(versionAndBuild(), '-v, --version', 'print the version, and the build')
    .addHelpText('after', examples(exampleOf(kinds).url));
  // Settings that each command inherits, so they come before the commands.
  program
    .exitOverride()
    .configureOutput({
      writeOut: (text) => tool.stdout.write(foldedHelp(text, helpColumns(tool))),
      writeErr: (text) => tool.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => helpColumns(tool),
    })
    .configureHelp({ formatHelp: (command, helper) => helpOf(command, helper, showsAll(tool)) })
    .showSuggestionAfterError()
    .helpCommand(false);
  const commands = [
    addFind,
    addTry,
    addPlan,
    addSimulate,
    addJudge,
    addReport,
    addCompare,
    addRuns,
    addCapacity,
    addStudy,
    addExport,
    addDemo,
    addDoctor,
    addCalibrate,
    addVisit,
    addMonitor,
    addServe,
    addHost,
    addHosts,
    addHelp,
  ];
  for (const add of commands) add(program, tool, onExitCode, kinds);
  addLinkEnd(program, tool);
  addHostWatch(program, tool);
  return program;
}

/** Commander ends --help and --version by throwing as well; those are no failures. */
function isQuietEnd(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
