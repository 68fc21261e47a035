import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { HostOffer } from '../../probes/hosts/wire.js';
import { openBus } from '../hosts/bus.js';
import { bootId, ownBuild } from '../hosts/this-machine.js';
import { addCredsFlag, busAddress } from '../options/host-flags.js';
import type { ToolProcess } from '../process.js';
import { loadlineVersion } from '../version.js';
import { readCalibrations } from '../wiring/calibration-file.js';
import { assertTemporary, usableCache } from '../wiring/folders.js';
import { readHostFacts } from '../wiring/host-facts.js';
import { readHostRoom } from '../wiring/host-room.js';

interface HostFlags {
  readonly bus: string;
  readonly busCreds?: string;
  readonly name?: string;
  readonly place?: string;
  readonly chromium?: string;
  readonly exitWithStdin?: boolean;
}

const help = `
Offers this machine to runs on other machines that are given --hosts with the same bus. It serves one run at a time, plays
the probes that it is told to, and does nothing else: it opens no address but those of the media of its probes, runs no
command, and ends its browsers when it has not heard of the run for 10 s. Ctrl-C or SIGTERM ends it.

Examples:
  loadline host --bus nats://10.0.0.5:4222
  loadline host --bus tls://bus.example.com:4222 --bus-creds host.creds --place eu-west`;

export function addHost(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('host')
    .summary('offer this machine as a probe host on a bus')
    .description('Offers this machine to runs as a host that plays probes, until it is told to end.')
    .requiredOption('--bus <url>', 'the NATS server: nats://HOST:4222, tls://HOST:4222')
    .option('--name <name>', 'what it is called in runs (default: the name of this machine)')
    .option('--place <place>', 'where it is, for --spread by-place: eu-west')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .addOption(program.createOption('--exit-with-stdin', 'end when standard input ends').hideHelp());
  addCredsFlag(command)
    .addHelpText('after', help)
    .allowExcessArguments(false)
    .action(async (flags: HostFlags) => onExitCode(await offerHost(flags, tool)));
}

/** Serves until a signal asks for an end, which is no failure: 0. */
async function offerHost(flags: HostFlags, tool: ToolProcess): Promise<number> {
  const url = busAddress(flags.bus, '--bus');
  const names = { name: readName(flags.name ?? hostname(), '--name'), ...placeOf(flags.place) };
  const ended = endAsked(tool, flags.exitWithStdin === true);
  // Loaded late: bad input must not wait for a browser driver.
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  const { chromiumFleets } = await import('../wiring/wiring.js');
  const { startAgent } = await import('../../probes/hosts/agent.js');
  const { calibrateHere } = await import('../calibrate/calibrate-here.js');
  await assertTemporary();
  const cache = await usableCache(tool);
  await removeLeftovers(tool);
  const chromium = await chromiumHere(flags.chromium, tool);
  const bus = await openBus({ url, creds: flags.busCreds }, `loadline host ${names.name}`, tool);
  const offer = await offerOf(names, chromium?.version, tool);
  const agent = startAgent({
    bus,
    offer,
    memoryFreeMb: async () => (await readHostRoom()).memoryMb,
    startFleet: chromiumFleets(cache),
    chromiumPath: chromium?.path ?? '',
    ...(chromium
      ? { calibrate: async (signal: AbortSignal) => (await calibrateHere(chromium, cache, tool, signal)).found }
      : {}),
    now: Date.now,
    say: (text) => tool.stderr.write(`${text}\n`),
  });
  try {
    tool.stdout.write(`offered ${offer.name}\n`);
    await agent.close(await ended);
    return 0;
  } finally {
    await bus.close();
  }
}

async function offerOf(
  names: Pick<HostOffer, 'name' | 'place'>,
  chromium: string | undefined,
  tool: ToolProcess,
): Promise<HostOffer> {
  const { cores: machineCores, memoryMb } = readHostFacts(tool.nodeVersion);
  const { cores = machineCores } = await readHostRoom();
  const { wireFormat } = await import('../../probes/hosts/wire.js');
  const calibrated = (await readCalibrations(tool)).find((one) => one.chromium === chromium);
  return {
    instance: randomUUID(),
    ...names,
    wireFormat,
    version: loadlineVersion(),
    build: ownBuild(),
    cores,
    memoryMb,
    boot: await bootId(),
    ...(chromium === undefined ? {} : { chromium }),
    ...(calibrated ? { carries: { full: calibrated.full.carries, encoded: calibrated.encoded.carries } } : {}),
  };
}

/** A host without one is on the bus all the same, so that its lack is seen from there. */
async function chromiumHere(flag: string | undefined, tool: ToolProcess) {
  const { ensureChromium } = await import('../wiring/chromium.js');
  try {
    return await ensureChromium(tool, flag);
  } catch (error) {
    if (!(error instanceof LoadlineError) || error.code !== 'E_CHROMIUM_MISSING') throw error;
    tool.stderr.write(`${error.message} No run can use this host: ${error.todo ?? ''}.\n`);
    return undefined;
  }
}

function placeOf(place: string | undefined): Pick<HostOffer, 'place'> {
  return place === undefined ? {} : { place: readName(place, '--place') };
}

/** It stands in sentences and in file names. */
function readName(text: string, flag: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)) return text;
  throw new LoadlineError(
    'E_USAGE',
    `${flag} must be a short name of letters, digits, dots and dashes, not "${text}".`,
    {
      where: flag,
      todo: `write for example ${flag} ${flag === '--name' ? 'probe-3' : 'eu-west'}`,
    },
  );
}

/** Resolves with why, for the conductor. */
function endAsked(tool: ToolProcess, withStdin: boolean): Promise<string> {
  return new Promise((resolve) => {
    tool.onStopSignal((signal) => resolve(`it was asked to end (${signal})`));
    if (withStdin) tool.onStdinEnd(() => resolve('it was asked to end'));
  });
}
