import type { Command } from 'commander';
import { gstreamerInstallCommand, hasGStreamer } from '../../host/find-gstreamer.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { parseRate } from '../../model/units.js';
import { cageOwnProcess } from '../../server-setup/cpu-limit/cpu-cage.js';
import { readCpuLimit } from '../../server-setup/embedded/limits.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { imitationFlags, imitationOf } from '../options/imitation-flags.js';
import { readServeToken } from '../options/serve-token.js';
import { usageError } from '../options/usage-error.js';
import { readPort } from '../options/values.js';
import { count } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { loadlineVersion } from '../version.js';

const serveFlags = {
  port: { takes: 'n', about: 'port to listen on; 0 takes any free one', value: { read: readPort }, usual: '0' },
  host: {
    takes: 'addr',
    about: 'address to listen on; any but a loopback one needs LOADLINE_SERVE_TOKEN',
    usual: '127.0.0.1',
  },
  egressLimit: {
    takes: 'rate',
    about: 'drop what goes out above this rate: 750kbit, 5mbit',
    value: { read: parseRate },
  },
  cpuLimit: {
    takes: 'cores',
    about: 'hold the server to this much CPU: 0.5 is half a core (as root)',
    value: { read: readCpuLimit },
  },
  videoKbps: {
    about: 'cap of video that senders are told, kbit/s, unless a client sets another',
    value: count(),
    usual: '500',
  },
  followEstimates: { about: 'hold senders to what receivers say their links carry, as a Kurento does' },
  exitWithStdin: { about: 'end when standard input ends', isHidden: true },
} as const satisfies Flags;

const allFlags = { ...serveFlags, ...imitationFlags } as const satisfies Flags;

type ServeWords = WordsOf<typeof allFlags>;

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
    );
  addFlags(command, serveFlags).optionsGroup(
    'To imitate what other servers do, and see what measuring makes of it (docs/reference/embedded-server.md):',
  );
  addFlags(command, imitationFlags)
    .addHelpText('after', examples)
    .action(async (words: ServeWords) => {
      onExitCode(await serve(words, tool));
    });
}

const cannotMix = `Rooms cannot be mixed: GStreamer is missing. Calls and broadcasts work. For rooms: ${gstreamerInstallCommand}\n`;

/** Serves until a signal (or the end of stdin) asks for an end, which is no failure: 0. */
async function serve(words: ServeWords, tool: ToolProcess): Promise<number> {
  const flags = readFlags(allFlags, words);
  const { port, egressLimit: egressLimitBps, cpuLimit: cpuLimitCores, videoKbps: maxVideoKbps } = flags;
  const imitation = imitationOf(flags);
  const byGStreamer = imitation.repack ? '--repack' : imitation.pictureFault === 'half' ? '--picture-fault' : undefined;
  if (byGStreamer !== undefined && !(await hasGStreamer())) {
    const todo = `${gstreamerInstallCommand} gstreamer1.0-plugins-bad`;
    throw usageError(`${byGStreamer} takes media apart with GStreamer, which is missing.`, [byGStreamer], todo);
  }
  const token = readServeToken(flags.host, tool.env);
  const ended = endAsked(tool, flags.exitWithStdin === true);
  const cage = cpuLimitCores === undefined ? undefined : await cageOwnProcess(cpuLimitCores);
  try {
    const { startEmbeddedServer } = await import('../../embedded-server/server.js');
    const server = await startEmbeddedServer({
      host: flags.host,
      port,
      version: loadlineVersion(),
      maxVideoKbps,
      followEstimates: flags.followEstimates === true,
      imitation,
      ...given({ token, egressLimitBps }),
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
    why: error.why,
    todo: error.todo ?? 'name an address of this machine, and a port that this user may open',
    cause: error,
  });
}
