import type { Command } from 'commander';
import { carriesText } from '../../analysis/judge/calibration.js';
import type { Calibration, KindCalibration } from '../../model/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import { calibrateHere } from '../calibrate/calibrate-here.js';
import { interruptedCode } from '../exit-codes.js';
import { addBusFlags, type BusFlags } from '../options/bus-flags.js';
import { busAddress, localCount } from '../options/host-flags.js';
import type { ToolProcess } from '../process.js';
import { assertState, assertTemporary, usableCache } from '../wiring/folders.js';
import { listenForStop } from '../wiring/stop-request.js';

interface CalibrateFlags extends BusFlags {
  readonly chromium?: string;
  readonly hosts?: string;
}

const help = `
Plays growing numbers of 1:1 calls on an embedded media server on this host, first with full probes, then with encoded
ones, until something on the probe side gives way. Takes about five minutes; let nothing else run meanwhile. What was
found is kept for this host and this Chromium, and plan and doctor use it. With --hosts, each host of a bus measures itself
so, and runs place their probes by it.

Examples:
  loadline calibrate
  loadline calibrate --chromium /usr/bin/chromium
  loadline calibrate --hosts nats://10.0.0.5:4222`;

export function addCalibrate(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('calibrate')
    .summary('measure how many probes this host carries')
    .description('Measures what full and encoded probes cost on this host, and how many of them it carries.')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .option('--hosts <url>', 'have each host of this bus measure itself: nats://HOST:4222');
  addBusFlags(command)
    .addHelpText('after', help)
    .allowExcessArguments(false)
    .action(async (flags: CalibrateFlags) =>
      onExitCode(await (flags.hosts === undefined ? calibrate(flags, tool) : elsewhere(flags.hosts, flags, tool))),
    );
}

/** Throws E_USAGE for what is no bus of other machines. */
async function elsewhere(from: string, { chromium, ...files }: CalibrateFlags, tool: ToolProcess): Promise<number> {
  if (localCount(from) !== undefined || chromium !== undefined) {
    const [what, todo] =
      chromium === undefined
        ? [
            `${from} are processes of this machine, which share its CPU.`,
            'leave --hosts out: loadline calibrate measures this machine',
          ]
        : ['--chromium names a file of this host.', 'name the Chromium of each host to its loadline host --chromium'];
    throw new LoadlineError('E_USAGE', what, { where: '--hosts', todo });
  }
  const access = { url: busAddress(from, '--hosts'), files };
  const { calibrateHosts } = await import('../calibrate/calibrate-hosts.js');
  const stop = listenForStop(tool, (text) => tool.stderr.write(`${text}\n`), interruptedCode);
  try {
    return await calibrateHosts(access, tool, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return interruptedCode;
    throw error;
  } finally {
    stop.close();
  }
}

async function calibrate(flags: CalibrateFlags, tool: ToolProcess): Promise<number> {
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  const { ensureChromium } = await import('../wiring/chromium.js');
  await assertTemporary();
  await assertState(tool);
  const cache = await usableCache(tool);
  await removeLeftovers(tool);
  const chromium = await ensureChromium(tool, flags.chromium);
  const stop = listenForStop(tool, (text) => tool.stderr.write(`${text}\n`), interruptedCode);
  try {
    const { found, path } = await calibrateHere(chromium, cache, tool, stop.signal);
    tool.stdout.write(`${resultText(found)}\n\n  Saved  ${path}\n`);
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return interruptedCode;
    throw error;
  } finally {
    stop.close();
  }
}

function resultText({ full, encoded }: Calibration): string {
  const row = (name: string, { coresPerProbe, mbPerProbe, because }: KindCalibration) =>
    `    ${name.padEnd(9)}${coresPerProbe.toFixed(3)} of a core and ${mbPerProbe.toFixed(0)} MiB each. No more because: ${because}`;
  const carries = carriesText({ encoded: encoded.carries, full: full.carries });
  return [
    `  ${carries.charAt(0).toUpperCase()}${carries.slice(1)}, beside an embedded server.`,
    '',
    row('full', full),
    row('encoded', encoded),
  ].join('\n');
}
