import { LoadlineError, messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { TurnFacts } from '../../model/turn.js';
import { isThisHost } from '../evidence/host-address.js';
import { findListener, ProcessMeter } from '../evidence/process-resources.js';
import { proveTurnServer } from './ask-turn-server.js';
import { credentialsFor, type TurnSecrets } from './credentials.js';
import { watchForLoss } from './lost-watch.js';
import type { OpenRelay, OpenRelayOptions, TurnRelay } from './turn-relay.js';
import type { TurnAddress } from './turn-url.js';

const answerWithinMs = 5000;
const checkLifetimeMs = 60_000;

/** A TURN server that is there already, and how it knows its users. */
export interface GivenTurn {
  readonly address: TurnAddress;
  readonly secrets: TurnSecrets;
}

/** It belongs to what is measured. Of several, that of the run is the first that gives a relay when the run starts. */
export function givenRelay(servers: readonly GivenTurn[]): TurnRelay<OpenRelay> {
  let used = servers[0];
  return {
    async start(signal): Promise<TurnFacts> {
      const passedOver: string[] = [];
      for (const server of servers) {
        const { url, protocol, host } = server.address;
        try {
          const name = nameOf(await prove(server));
          signal.throwIfAborted();
          used = server;
          const facts = { name, url, protocol, ours: false, sameHost: await isThisHost(host) };
          return { ...facts, ...(passedOver.length > 0 ? { passedOver } : {}) };
        } catch (error) {
          signal.throwIfAborted();
          if (servers.length === 1) throw error;
          passedOver.push(`${url} (${error instanceof LoadlineError ? error.why : messageOf(error)})`);
        }
      }
      throw new LoadlineError('E_TURN_UNREACHABLE', `None of ${servers.length} TURN servers gives a relay.`, {
        where: '--turn-server',
        why: passedOver.join(', '),
        todo: 'check that they run and that the credentials have not ended, or name another protocol by --turn',
      });
    },
    async open(options, signal) {
      if (used === undefined) throw new Error('no TURN server is named');
      await prove(used);
      signal.throwIfAborted();
      return openGiven(used, options);
    },
    stop: async () => undefined,
  };
}

/** What it calls itself. Throws E_TURN_UNREACHABLE when it gives no relay. */
async function prove({ address, secrets }: GivenTurn): Promise<string | undefined> {
  const credentials = credentialsFor(secrets, 'loadline', Date.now() + checkLifetimeMs);
  try {
    return await proveTurnServer(address, credentials, answerWithinMs);
  } catch (cause) {
    throw noRelay(address, cause);
  }
}

async function openGiven({ address, secrets }: GivenTurn, options: OpenRelayOptions): Promise<OpenRelay> {
  const { url, protocol, host, port } = address;
  const expiresAtMs = Date.now() + options.lifetimeMs;
  const stopWatching = watchForLoss(address, options.onLost);
  const listener = (await isThisHost(host)) ? await findListener(port) : undefined;
  const meter = listener && new ProcessMeter(listener.pid);
  return {
    accessFor: (probe) => ({ url, protocol, ...credentialsFor(secrets, probe, expiresAtMs) }),
    ...(meter ? { resources: async () => ({ atMs: Date.now(), ...pick(await meter.read()) }) } : {}),
    close: async () => stopWatching(),
  };
}

/** What is written down of a process that relays; threads and files of it tell nothing here. */
export function pick({ cpuCores, rssMb, udpDrops }: Awaited<ReturnType<ProcessMeter['read']>>) {
  return given({ cpuCores, rssMb, udpDrops });
}

/** "Coturn-4.6.1 'Gorst'" is "coturn 4.6.1". */
export function nameOf(software: string | undefined): string {
  const coturn = /^coturn-(\S+)/i.exec(software ?? '')?.[1];
  if (coturn !== undefined) return `coturn ${coturn}`;
  return software === undefined || software === '' ? 'TURN server' : software;
}

function noRelay({ url }: TurnAddress, cause: unknown): LoadlineError {
  const why = messageOf(cause);
  const credentials = /it said 4(01|41)/.test(why);
  return new LoadlineError('E_TURN_UNREACHABLE', `The TURN server at ${url} gives no relay.`, {
    where: '--turn-server',
    why,
    todo: credentials
      ? 'check LOADLINE_TURN_SECRET, or LOADLINE_TURN_USER and LOADLINE_TURN_PASSWORD, and the clocks of both hosts'
      : 'check that it runs, that its port is open to this host, and that it speaks this transport',
    cause,
  });
}
