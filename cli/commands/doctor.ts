import { cpus, release } from 'node:os';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { planSchema } from '../../model/plan.js';
import { chooseMeans, readHostMeans } from '../../server-setup/network/means.js';
import { readCalibrations } from '../calibration-file.js';
import {
  type Check,
  checkCalibration,
  checkCgroup,
  checkChromium,
  checkCores,
  checkMemory,
  checkNetworks,
  checkNode,
  checkOpenFiles,
  checkPorts,
  checkProgram,
  checkReceiveBuffer,
  checkRights,
  checkServer,
  doctorReport,
  type Program,
} from '../doctor/checks.js';
import { canBindPorts, cgroupVersion, hasProgram, readReceiveBuffer, readRights } from '../doctor/gather.js';
import { readHostRoom } from '../host-room.js';
import { removeLeftovers } from '../leftovers.js';
import { readServer } from '../options/server.js';
import type { ToolProcess } from '../process.js';

interface DoctorFlags {
  readonly server: string;
  readonly chromium?: string;
}

const programs: readonly (Program & { readonly file: string })[] = [
  {
    file: 'gst-launch-1.0',
    name: 'GStreamer',
    neededFor: 'rooms that the embedded server mixes',
    install: 'apt-get install gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good',
  },
  { file: 'ffprobe', name: 'ffprobe', neededFor: 'checking recordings', install: 'apt-get install ffmpeg' },
  { file: 'turnserver', name: 'coturn', neededFor: 'calls over TURN', install: 'apt-get install coturn' },
];

const help = `
✓ is fine, ! is worth knowing, ✗ is in the way, each with what to do. Exit 0 when find would work, else 2.

Examples:
  loadline doctor
  loadline doctor --server kurento://10.0.0.5:8888`;

export function addDoctor(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  program
    .command('doctor')
    .summary('check whether find would work on this host')
    .description('Checks this host and the media server, and says what to do about what is missing.')
    .option('--server <url>', 'embedded, or kurento://HOST:PORT', 'embedded')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .addHelpText('after', help)
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      await removeLeftovers(tool);
      const { text, exitCode } = doctorReport(await examine(flags, tool));
      tool.stdout.write(text);
      onExitCode(exitCode);
    });
}

async function examine(flags: DoctorFlags, tool: ToolProcess): Promise<readonly Check[]> {
  const server = readServer({ server: flags.server, reset: 'release' });
  const [room, rights, ports, buffer, means] = await Promise.all([
    readHostRoom(),
    readRights(),
    canBindPorts(),
    readReceiveBuffer(),
    readHostMeans(tool.env.PATH, release()),
  ]);
  const found = await Promise.all(programs.map(({ file }) => hasProgram(file, tool.env)));
  return [
    checkNode(tool.nodeVersion),
    await examineChromium(flags.chromium, tool),
    await examineServer(server, tool),
    checkCores(cpus().length, server.kind === 'embedded'),
    checkCalibration(await readCalibrations(tool), await chromiumVersion(flags.chromium, tool)),
    checkMemory(room),
    checkPorts(room, ports),
    checkOpenFiles(room),
    checkReceiveBuffer(buffer),
    checkRights(rights.uid, rights.capEff),
    checkNetworks(chooseMeans(means)),
    checkCgroup(cgroupVersion()),
    ...programs.map((program, index) => checkProgram(program, found[index] === true)),
  ];
}

async function examineChromium(flag: string | undefined, { env }: ToolProcess): Promise<Check> {
  try {
    // Loaded late: no other command may wait for a browser driver that it does not need.
    const { findChromium } = await import('../../probes/find-chromium.js');
    const found = await findChromium({ ...(flag === undefined ? {} : { flag }), env });
    if (!found) return checkChromium(undefined);
    const { whatChromiumLacks } = await import('../../probes/try-chromium.js');
    const lacks = await whatChromiumLacks(found.path);
    return checkChromium({ path: found.path, version: found.version, ...(lacks === undefined ? {} : { lacks }) });
  } catch (error) {
    return failedCheck(error);
  }
}

/** `undefined` when there is none, which has a line of its own. */
async function chromiumVersion(flag: string | undefined, { env }: ToolProcess): Promise<string | undefined> {
  const { findChromium } = await import('../../probes/find-chromium.js');
  const found = await findChromium({ ...(flag === undefined ? {} : { flag }), env }).catch(() => undefined);
  return found?.version;
}

/** Starts (or connects to) the media server and stops again; nothing is made on it. */
async function examineServer(plan: ReturnType<typeof readServer>, tool: ToolProcess): Promise<Check> {
  const { serverOf } = await import('../wiring.js');
  if (plan.kind === 'simulated') return checkServer('', { name: 'simulated' });
  const server = serverOf({ plan: planSchema.parse({ scenario: 'one-to-one', server: plan }) }, plan, tool);
  try {
    const { name, url } = await server.start(new AbortController().signal);
    return checkServer(url, { name });
  } catch (error) {
    return failedCheck(error);
  } finally {
    await server.stop();
  }
}

function failedCheck(error: unknown): Check {
  if (!(error instanceof LoadlineError)) throw error;
  const why = error.why === undefined ? '' : ` ${error.why}`;
  return { mark: 'fail', text: `${error.message}${why}`, remedy: error.todo ?? `see ${error.code} in docs/errors.md` };
}
