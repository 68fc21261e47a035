import type { Command } from 'commander';
import { gstreamerInstallCommand, hasGStreamer } from '../../host/find-gstreamer.js';
import { LoadlineError } from '../../model/errors.js';
import { cageOwnProcess } from '../../server-setup/cpu-limit/cpu-cage.js';
import { readCpuLimit, readEgressLimit } from '../../server-setup/embedded/limits.js';
import { addImitationFlags, type ImitationFlags, readImitation } from '../options/imitation-flags.js';
import { readServeToken } from '../options/serve-token.js';
import { readCount, readPort } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { loadlineVersion } from '../version.js';

interface ServeFlags extends ImitationFlags {
  readonly port: string;
  readonly host: string;
  readonly egressLimit?: string;
  readonly cpuLimit?: string;
  readonly videoKbps: string;
  readonly followEstimates?: boolean;
  readonly exitWithStdin?: boolean;
}

const examples = `
When it is ready it prints on stdout where it listens, and where streams are published and viewed by WHIP and WHEP:
  listening ws://127.0.0.1:8888/kurento
  whip http://127.0.0.1:8888/{stream}/whip
  whep http://127.0.0.1:8888/{stream}/whep
Ctrl-C or SIGTERM ends it.

Examples:
  loadline serve                                     any free port
  loadline serve --port 8888 --egress-limit 5mbit    a server whose up-link carries 5 Mbit/s
  LOADLINE_SERVE_TOKEN=… loadline serve --host 0.0.0.0 --port 8888
                                                     for runs on other machines: --server 'kurento://HOST:8888/kurento?token=…'
  loadline serve --egress-limit 5mbit --leak 5%      a server that carries less with each session ever opened
  loadline serve --report-interval 5s --slow-first-join 4.5s`;

export function addServe(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('serve')
    .summary('run the embedded media server alone')
    .description(
      "Runs the embedded media server, which speaks Kurento's protocol, WHIP and WHEP, until it is told to end.",
    )
    .option('--port <n>', 'port to listen on; 0 takes any free one', '0')
    .option('--host <addr>', 'address to listen on; any but a loopback one needs LOADLINE_SERVE_TOKEN', '127.0.0.1')
    .option('--egress-limit <rate>', 'drop what goes out above this rate: 750kbit, 5mbit')
    .option('--cpu-limit <cores>', 'hold the server to this much CPU: 0.5 is half a core (as root)')
    .option('--video-kbps <n>', 'cap of video that senders are told, kbit/s, unless a client sets another', '500')
    .option('--follow-estimates', 'hold senders to what receivers say their links carry, as a Kurento does')
    .addOption(program.createOption('--exit-with-stdin', 'end when standard input ends').hideHelp());
  addImitationFlags(command)
    .addHelpText('after', examples)
    .allowExcessArguments(false)
    .action(async (flags: ServeFlags) => {
      onExitCode(await serve(flags, tool));
    });
}

const cannotMix = `Rooms cannot be mixed: GStreamer is missing. Calls and broadcasts work. For rooms: ${gstreamerInstallCommand}\n`;

function cannotRepack(): LoadlineError {
  return new LoadlineError('E_USAGE', 'Sound cannot be parsed and packed anew without GStreamer.', {
    where: '--repack',
    todo: `${gstreamerInstallCommand} gstreamer1.0-plugins-bad`,
  });
}

/** Serves until a signal (or the end of stdin) asks for an end, which is no failure: 0. */
async function serve(flags: ServeFlags, tool: ToolProcess): Promise<number> {
  const port = readPort(flags.port, '--port');
  const egressLimitBps = readEgressLimit(flags.egressLimit);
  const cpuLimitCores = readCpuLimit(flags.cpuLimit);
  const maxVideoKbps = readCount(flags.videoKbps, '--video-kbps');
  const imitation = readImitation(flags);
  if (imitation.repack && !(await hasGStreamer())) throw cannotRepack();
  const token = readServeToken(flags.host, tool.env);
  const ended = endAsked(tool, flags.exitWithStdin === true);
  const cage = cpuLimitCores === undefined ? undefined : await cageOwnProcess(cpuLimitCores);
  try {
    const { startEmbeddedServer } = await import('../../embedded-server/server.js');
    const server = await startEmbeddedServer({
      host: flags.host,
      port,
      version: loadlineVersion(),
      ...(token === undefined ? {} : { token }),
      maxVideoKbps,
      followEstimates: flags.followEstimates === true,
      imitation,
      ...(egressLimitBps === undefined ? {} : { egressLimitBps }),
    }).catch((error: unknown) => {
      throw namingTheFlags(error);
    });
    if (!server.canMix) tool.stderr.write(cannotMix);
    tool.stdout.write(`listening ${server.url}\nwhip ${server.whip}\nwhep ${server.whep}\n`);
    await ended;
    await server.close();
    return 0;
  } finally {
    await cage?.close();
  }
}

function endAsked(tool: ToolProcess, withStdin: boolean): Promise<void> {
  return new Promise((resolve) => {
    tool.onStopSignal(() => resolve());
    if (withStdin) tool.onStdinEnd(() => resolve());
  });
}

/** The server knows nothing of flags. That it cannot listen is for the person who gave them to change. */
function namingTheFlags(error: unknown): unknown {
  if (!(error instanceof LoadlineError)) return error;
  return new LoadlineError(error.code === 'E_INTERNAL' ? 'E_USAGE' : error.code, error.message, {
    where: '--host, --port',
    ...(error.why === undefined ? {} : { why: error.why }),
    todo: error.todo ?? 'name an address of this machine, and a port that this user may open',
    cause: error,
  });
}
