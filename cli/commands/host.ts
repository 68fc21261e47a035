import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import type { Command } from 'commander';
import { carriedOf } from '../../model/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type Allowed, allowedOnly, allowedWord } from '../../probes/allowed.js';
import type { HostOffer } from '../../probes/hosts/wire.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { checkedApp } from '../../server-setup/web-app/app-address.js';
import { openBus } from '../hosts/bus.js';
import { bootId, netnsId } from '../hosts/this-machine.js';
import { startWatcher } from '../hosts/watched-agent.js';
import { busFlags } from '../options/bus-flags.js';
import { addFlags, type Flags, goingWith, readFlags, type ValuesOf, type WordsOf } from '../options/flag.js';
import { busAddress } from '../options/host-flags.js';
import { trialFlags } from '../options/run-flags.js';
import { usageError, wrongValue } from '../options/usage-error.js';
import { visitFlags } from '../options/visit-flags.js';
import { duration } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { loadlineVersion, ownBuild } from '../version.js';
import { readCalibrations } from '../wiring/calibration-file.js';
import { assertTemporary, usableCache } from '../wiring/folders.js';
import { readHostFacts } from '../wiring/host-facts.js';
import { readHostRoom } from '../wiring/host-room.js';

export const hostFlags = {
  bus: {
    takes: 'url',
    about: 'the NATS server: nats://HOST:4222, tls://HOST:4222',
    suchAs: 'nats://10.0.0.5:4222',
    value: { read: busAddress },
    mustBeGiven: true,
  },
  name: {
    takes: 'name',
    about: 'what it is called in runs (default: the name of this machine)',
    value: { read: readName },
  },
  place: { takes: 'place', about: 'where it is, for --spread by-place: eu-west', value: { read: readName } },
  chromium: trialFlags.chromium,
  allow: {
    takes: 'list',
    about: 'where probes may send media to: addresses, networks, names (also LOADLINE_ALLOW; default: all)',
    value: { read: readAllowed },
  },
  url: {
    takes: 'url',
    about: 'the one web app that runs may visit from here: https://meet.example/{session}',
    value: { read: checkedApp },
  },
  ...goingWith(
    '--url',
    {
      join: { ...visitFlags.join, because: 'it says how a web app is visited' },
      library: { ...visitFlags.library, because: 'it says how a web app is joined' },
      users: { ...visitFlags.users, because: 'they log in to a web app' },
    },
    'https://meet.example/{session}',
  ),
  drain: {
    about: 'on SIGTERM, how long the trial that is under way may still take (default: no time)',
    value: duration,
  },
  exitWithStdin: { about: 'end when standard input ends', isHidden: true },
  ...busFlags,
} as const satisfies Flags;

type HostWords = WordsOf<typeof hostFlags>;

const help = `
Offers this machine to runs on other machines that are given --hosts with the same bus. It serves one run at a time, plays
the probes that it is told to, and does nothing else: it opens no address but those of the media of its probes and, where a
run says --spoken-by hosts, of the media server (and of these only what --allow names), runs no command, and ends its
browsers when it has not heard of the run for 10 s. Ctrl-C or SIGTERM ends it; with --drain SIGTERM lets the trial that is
under way come to its end.

Examples:
  loadline host --bus nats://10.0.0.5:4222
  loadline host --bus tls://bus.example.com:4222 --bus-creds host.creds --place eu-west
  loadline host --bus nats://10.0.0.5:4222 --url 'https://meet.example/{session}' --join join.mjs
  loadline host --bus nats://10.0.0.5:4222 --allow 10.0.0.0/24,turn.example.com --drain 5m`;

export function addHost(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('host')
    .summary('offer this machine as a probe host on a bus')
    .description('Offers this machine to runs as a host that plays probes, until it is told to end.');
  addFlags(command, hostFlags)
    .addHelpText('after', help)
    .action(async (words: HostWords) => onExitCode(await offerHost(words, tool, kinds)));
}

/** Serves until a signal asks for an end, which is no failure: 0. */
async function offerHost(words: HostWords, tool: ToolProcess, kinds: Kinds): Promise<number> {
  // Those of the machine are read as those that are given.
  const named = { name: hostname(), ...(tool.env.LOADLINE_ALLOW ? { allow: tool.env.LOADLINE_ALLOW } : {}), ...words };
  const { bus: url, name = '', place, allow, drain: drainMs = 0, ...flags } = readFlags(hostFlags, named);
  const visit = await visitHere({ ...flags, allows: allow !== undefined }, tool);
  const names = given({ name, place });
  const ended = endAsked(tool, flags.exitWithStdin === true);
  // Loaded late: bad input must not wait for a browser driver.
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  const { playerFleets } = await import('../wiring/players.js');
  const { startAgent } = await import('../../probes/hosts/agent.js');
  const { networksMadeHere } = await import('../networks/networks-part.js');
  const { calibrateHere } = await import('../calibrate/calibrate-here.js');
  await assertTemporary();
  const cache = await usableCache(tool);
  await removeLeftovers(tool);
  const chromium = await chromiumHere(flags.chromium, tool);
  const bus = await openBus({ url, files: words }, { side: 'host', name: names.name }, tool);
  const offer = { ...(await offerOf(names, chromium?.version, tool)), ...given({ app: visit?.digest }) };
  const agent = startAgent({
    bus,
    offer,
    memoryFreeMb: async () => (await readHostRoom()).memoryMb,
    fleets: playerFleets(cache, visit),
    makeNetworks: networksMadeHere(tool),
    speakers: new Map(kinds.flatMap(({ name, speaker }) => (speaker ? [[name, speaker] as const] : []))),
    chromiumPath: chromium?.path ?? '',
    ...given({
      app: visit?.digest,
      allowed: allow,
      calibrate:
        chromium && (async (signal: AbortSignal) => (await calibrateHere({ chromium, cache }, tool, signal)).found),
    }),
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

/** What is visited from here, and how: no run names an address or a script. Throws E_USAGE, E_JOIN_SCRIPT. */
async function visitHere(
  {
    url,
    join,
    library,
    users,
    allows,
  }: Pick<ValuesOf<typeof hostFlags>, 'url' | 'join' | 'library' | 'users'> & { readonly allows: boolean },
  tool: ToolProcess,
) {
  if (url === undefined) return undefined;
  if (allows)
    throw usageError(
      '--allow does not go with --url.',
      ['--allow', '--url'],
      'leave one of the two out, and bound what this machine reaches by its firewall',
      'pages of an app send media wherever the app says, and nothing here could hold them back',
    );
  const { assertVisitable, withWholePaths } = await import('../wiring/visit-preflight.js');
  const { endingWhenStuck } = await import('../wiring/stuck-script.js');
  const order = { url, ...withWholePaths(given({ join, library, users }), tool) };
  const ending = endingWhenStuck(tool, 'E_JOIN_SCRIPT_STUCK');
  return { ...order, env: tool.env, ending, ...(await assertVisitable(order, tool)) };
}

async function offerOf(
  names: Pick<HostOffer, 'name' | 'place'>,
  chromium: string | undefined,
  tool: ToolProcess,
): Promise<HostOffer> {
  const { memoryMb } = readHostFacts(tool.nodeVersion);
  const { cores } = await readHostRoom();
  const { wireFormat } = await import('../../probes/hosts/wire.js');
  const { impairsHere } = await import('../networks/networks-part.js');
  const calibrated = (await readCalibrations(tool)).find((one) => one.chromium === chromium);
  return given({
    instance: randomUUID(),
    ...names,
    wireFormat,
    version: loadlineVersion(),
    build: ownBuild(),
    cores,
    memoryMb,
    boot: await bootId(),
    netns: await netnsId(),
    impairs: await impairsHere(tool),
    chromium,
    carries: calibrated && carriedOf(calibrated),
  });
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

/** It stands in sentences and in file names. */
function readName(text: string, flag: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)) return text;
  const example = flag === '--name' ? 'probe-3' : 'eu-west';
  throw wrongValue(flag, text, 'must be a short name of letters, digits, dots and dashes', example);
}

/**
 * `first`: why, for the conductor; a scheduler that drains this machine asks by SIGTERM. `again`: whoever asks twice
 * does not want to wait.
 */
function endAsked(tool: ToolProcess, withStdin: boolean) {
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
function readAllowed(text: string, flag: string): Allowed {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !allowedWord.test(word));
  try {
    if (wrong === undefined) return allowedOnly(words);
  } catch {
    // Node refuses an address or the length of a network.
  }
  const example = '10.0.0.0/24,192.0.2.7,turn.example.com';
  throw wrongValue(flag, wrong ?? text, 'must name addresses, networks or names', example);
}
