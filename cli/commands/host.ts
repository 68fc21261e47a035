import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import type { Command } from 'commander';
import { carriedOf } from '../../model/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import { type Allowed, allowedOnly, allowedWord } from '../../probes/allowed.js';
import type { HostOffer } from '../../probes/hosts/wire.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { openBus } from '../hosts/bus.js';
import { bootId, netnsId } from '../hosts/this-machine.js';
import { startWatcher } from '../hosts/watched-agent.js';
import { addBusFlags, type BusFlags } from '../options/bus-flags.js';
import { busAddress } from '../options/host-flags.js';
import { readDuration } from '../options/values.js';
import { ownBuild } from '../own-build.js';
import type { ToolProcess } from '../process.js';
import { loadlineVersion } from '../version.js';
import { readCalibrations } from '../wiring/calibration-file.js';
import { assertTemporary, usableCache } from '../wiring/folders.js';
import { readHostFacts } from '../wiring/host-facts.js';
import { readHostRoom } from '../wiring/host-room.js';

type Kinds = readonly ServerKind[];

interface HostFlags extends BusFlags {
  readonly bus: string;
  readonly name?: string;
  readonly place?: string;
  readonly chromium?: string;
  readonly allow?: string;
  readonly drain?: string;
  readonly exitWithStdin?: boolean;
}

const help = `
Offers this machine to runs on other machines that are given --hosts with the same bus. It serves one run at a time, plays
the probes that it is told to, and does nothing else: it opens no address but those of the media of its probes and, where a
run says --spoken-by hosts, of the media server (and of these only what --allow names), runs no command, and ends its
browsers when it has not heard of the run for 10 s. Ctrl-C or SIGTERM ends it; with --drain SIGTERM lets the trial that is
under way come to its end.

Examples:
  loadline host --bus nats://10.0.0.5:4222
  loadline host --bus tls://bus.example.com:4222 --bus-creds host.creds --place eu-west
  loadline host --bus nats://10.0.0.5:4222 --allow 10.0.0.0/24,turn.example.com --drain 5m`;

export function addHost(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('host')
    .summary('offer this machine as a probe host on a bus')
    .description('Offers this machine to runs as a host that plays probes, until it is told to end.')
    .requiredOption('--bus <url>', 'the NATS server: nats://HOST:4222, tls://HOST:4222')
    .option('--name <name>', 'what it is called in runs (default: the name of this machine)')
    .option('--place <place>', 'where it is, for --spread by-place: eu-west')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .option(
      '--allow <list>',
      'where probes may send media to: addresses, networks, names (also LOADLINE_ALLOW; default: all)',
    )
    .option('--drain <duration>', 'on SIGTERM, how long the trial that is under way may still take (default: no time)')
    .addOption(program.createOption('--exit-with-stdin', 'end when standard input ends').hideHelp());
  addBusFlags(command)
    .addHelpText('after', help)
    .allowExcessArguments(false)
    .action(async (flags: HostFlags) => onExitCode(await offerHost(flags, tool, kinds)));
}

/** Serves until a signal asks for an end, which is no failure: 0. */
async function offerHost(flags: HostFlags, tool: ToolProcess, kinds: Kinds): Promise<number> {
  const url = busAddress(flags.bus, '--bus');
  const names = { name: readName(flags.name ?? hostname(), '--name'), ...placeOf(flags.place) };
  const allow = flags.allow ?? tool.env.LOADLINE_ALLOW;
  const allowed = allow ? { allowed: readAllowed(allow) } : {};
  const drainMs = flags.drain === undefined ? 0 : readDuration(flags.drain, '--drain');
  const ended = endAsked(tool, flags.exitWithStdin === true);
  // Loaded late: bad input must not wait for a browser driver.
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  const { browserFleets, mixedHere } = await import('../wiring/wiring.js');
  const { startAgent } = await import('../../probes/hosts/agent.js');
  const { networksMadeHere } = await import('../networks/networks-part.js');
  const { calibrateHere } = await import('../calibrate/calibrate-here.js');
  await assertTemporary();
  const cache = await usableCache(tool);
  await removeLeftovers(tool);
  const chromium = await chromiumHere(flags.chromium, tool);
  const bus = await openBus({ url, files: flags }, { side: 'host', name: names.name }, tool);
  const offer = await offerOf(names, chromium?.version, tool);
  const agent = startAgent({
    bus,
    offer,
    memoryFreeMb: async () => (await readHostRoom()).memoryMb,
    startFleet: browserFleets(cache),
    mixed: (native) => mixedHere(cache, () => native),
    makeNetworks: networksMadeHere(tool),
    speakers: new Map(kinds.flatMap(({ name, speaker }) => (speaker ? [[name, speaker] as const] : []))),
    chromiumPath: chromium?.path ?? '',
    ...(chromium
      ? { calibrate: async (signal: AbortSignal) => (await calibrateHere({ chromium, cache }, tool, signal)).found }
      : {}),
    ...allowed,
    now: Date.now,
    say: (text) => tool.stderr.write(`${text}\n`),
  });
  const stopWatching = startWatcher(tool, pid);
  try {
    tool.stdout.write(`offered ${offer.name}\n`);
    const { why, drains } = await ended.first;
    if (drains && drainMs > 0) await Promise.race([agent.drain(why, drainMs), ended.again]);
    await agent.close(why);
    return 0;
  } finally {
    stopWatching();
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
  const { impairsHere } = await import('../networks/networks-part.js');
  const netns = await netnsId();
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
    ...(netns === undefined ? {} : { netns }),
    impairs: await impairsHere(tool),
    ...(chromium === undefined ? {} : { chromium }),
    ...(calibrated ? { carries: carriedOf(calibrated) } : {}),
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

interface EndAsked {
  /** Why, for the conductor; a scheduler that drains this machine asks by SIGTERM. */
  readonly first: Promise<{ readonly why: string; readonly drains: boolean }>;
  /** Whoever asks twice does not want to wait. */
  readonly again: Promise<void>;
}

function endAsked(tool: ToolProcess, withStdin: boolean): EndAsked {
  let askAgain: () => void = () => undefined;
  const again = new Promise<void>((resolve) => {
    askAgain = resolve;
  });
  const first = new Promise<{ why: string; drains: boolean }>((resolve) => {
    let asked = 0;
    tool.onStopSignal((signal) => {
      asked += 1;
      if (asked > 1) askAgain();
      else resolve({ why: `it was asked to end (${signal})`, drains: signal === 'SIGTERM' });
    });
    if (withStdin) tool.onStdinEnd(() => resolve({ why: 'it was asked to end', drains: false }));
  });
  return { first, again };
}

/** Throws E_USAGE. */
function readAllowed(text: string): Allowed {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !allowedWord.test(word));
  try {
    if (wrong === undefined) return allowedOnly(words);
  } catch {
    // Node refuses an address or the length of a network.
  }
  throw new LoadlineError('E_USAGE', `--allow must name addresses, networks or names, not "${wrong ?? text}".`, {
    where: '--allow',
    todo: 'write for example --allow 10.0.0.0/24,192.0.2.7,turn.example.com',
  });
}
