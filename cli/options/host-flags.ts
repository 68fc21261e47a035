import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { type HostsPlan, type Plan, spreads } from '../../model/plan.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { addBusFlags, type BusFlags, busFlagGiven } from './bus-flags.js';
import { readCount } from './values.js';
import { type WrittenFlags, word } from './written.js';

/** Where the probes are played, as words. */
export interface HostFlags extends BusFlags {
  readonly hosts?: string;
  readonly spread?: string;
  readonly spokenBy?: string;
}

/** More agents than this on one machine tell nothing that fewer do not. */
const localMost = 16;
const speakers = ['conductor', 'hosts'] as const;
const busSchemes = /^(nats|tls):$/;

/** How the values of these flags are written. */
export const hostValues = { spread: word(spreads), spokenBy: word(speakers) } as const satisfies WrittenFlags;

export function addHostFlags(command: Command): Command {
  return addBusFlags(
    command
      .option('--hosts <where>', 'play the probes on the hosts of a bus: nats://HOST:4222; or on so many here: local:3')
      .option('--spread <how>', `with --hosts, who goes where: ${spreads.join(', ')} (default: even)`)
      .option(
        '--spoken-by <who>',
        'with --hosts, who speaks to the media server: conductor, or the hosts themselves (whip) (default: conductor)',
      ),
  );
}

/** What else was asked that cannot be had on other hosts. */
interface Besides {
  readonly turn?: unknown;
  readonly turnServer?: unknown;
  readonly chromium?: unknown;
}

/** Undefined when this host plays the probes. Throws E_USAGE. */
export function readHostFlags(
  { hosts, spread, spokenBy, ...bus }: HostFlags,
  besides: Besides,
  kind?: Pick<ServerKind, 'inWords' | 'speaker'>,
): HostsPlan | undefined {
  const how = spread === undefined ? 'even' : hostValues.spread.read(spread, '--spread');
  if (hosts !== undefined) {
    const from = localCount(hosts) === undefined ? busAddress(hosts, '--hosts') : hosts;
    assertCanBeElsewhere(from, besides);
    const who = spokenBy === undefined ? 'conductor' : hostValues.spokenBy.read(spokenBy, '--spoken-by');
    if (who === 'conductor') return { from, spread: how };
    if (!kind?.speaker) throw spokenByConductorAlone(kind?.inWords ?? 'this server');
    return { from, spread: how, spokenBy: who };
  }
  const alone = spread !== undefined ? '--spread' : spokenBy !== undefined ? '--spoken-by' : busFlagGiven(bus);
  if (alone === undefined) return undefined;
  throw new LoadlineError('E_USAGE', `${alone} does nothing without --hosts.`, {
    where: alone,
    todo: 'leave it out, or add --hosts',
  });
}

function spokenByConductorAlone(server: string): LoadlineError {
  return new LoadlineError('E_USAGE', `With ${server}, the conductor alone speaks to the media server.`, {
    where: '--spoken-by',
    why: 'hosts can do so where each leg is one request with its answer: on a server of WHIP',
    todo: 'leave --spoken-by out',
  });
}

/** Of `local:3`, three; `undefined` of a bus. Throws E_USAGE. */
export function localCount(hosts: string): number | undefined {
  const [, count] = /^local:(.*)$/.exec(hosts) ?? [];
  return count === undefined ? undefined : readCount(count, '--hosts local', { to: localMost });
}

/** On machines that the bus knows, and not on this one. */
export function playsElsewhere({ hosts }: Pick<Plan, 'hosts'>): boolean {
  return hosts !== undefined && localCount(hosts.from) === undefined;
}

/** One address or several with commas between them. What is stored with a run and shown to others must hold no login. Throws E_USAGE. */
export function busAddress(text: string, flag: string): string {
  for (const one of text.split(',')) {
    const url = URL.canParse(one.trim()) ? new URL(one.trim()) : undefined;
    if (!url || !busSchemes.test(url.protocol) || url.hostname === '') {
      throw new LoadlineError('E_USAGE', `${flag} must be the address of a bus, not "${text}".`, {
        where: flag,
        todo: `write for example ${flag} nats://10.0.0.5:4222`,
      });
    }
    if (url.username !== '' || url.password !== '') {
      throw new LoadlineError('E_USAGE', `The address of ${flag} holds a login.`, {
        where: flag,
        why: 'the command is stored with the run, and a login must not be',
        todo: 'leave it out, and name a credentials file with --bus-creds, or set LOADLINE_BUS_TOKEN to a token',
      });
    }
  }
  return text;
}

function assertCanBeElsewhere(from: string, { turn, turnServer, chromium }: Besides): void {
  if (localCount(from) !== undefined) return;
  if (turn !== undefined && turnServer === undefined) {
    throw new LoadlineError('E_USAGE', '--turn starts a coturn that other hosts cannot reach.', {
      where: '--turn, --hosts',
      why: 'it listens on 127.0.0.1 of this host',
      todo: 'name a TURN server that they reach with --turn-server',
    });
  }
  if (chromium !== undefined) {
    throw new LoadlineError(
      'E_USAGE',
      '--chromium names a file of this host, and --hosts plays the probes on others.',
      {
        where: '--chromium, --hosts',
        todo: 'name the Chromium of each host to its loadline host --chromium',
      },
    );
  }
}
