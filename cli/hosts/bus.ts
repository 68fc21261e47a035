import { readFile } from 'node:fs/promises';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { withoutSecrets } from '../../model/secrets.js';
import type { Bus } from '../../probes/hosts/bus.js';
import { conductorInbox, hostInbox } from '../../probes/hosts/subjects.js';
import type { BusFlags } from '../options/bus-flags.js';
import type { Env, ToolProcess } from '../process.js';

export interface BusAccess {
  readonly url: string;
  readonly files?: BusFlags | undefined;
  /** In place of what the environment says. */
  readonly token?: string;
}

/** Who we are on the bus: rights are given to the one and the other (docs/lab/hosts.md). */
export type BusSide = { readonly side: 'conductor' } | { readonly side: 'host'; readonly name: string };

/** Connects to a bus. Throws E_BUS with what was seen. */
export async function openBus(access: BusAccess, who: BusSide, { env }: Pick<ToolProcess, 'env'>): Promise<Bus> {
  const { url } = access;
  const { openNatsBus } = await loaded();
  const rights = await readRights(access, env);
  const isHost = who.side === 'host';
  const name = isHost ? `loadline host ${who.name}` : 'loadline conductor';
  const inbox = isHost ? hostInbox(who.name) : conductorInbox;
  try {
    return await openNatsBus({ url, name, inbox, ...rights });
  } catch (cause) {
    throw new LoadlineError('E_BUS', 'The bus does not answer, or does not let us in.', {
      where: url,
      why: withoutSecrets(messageOf(cause)),
      todo: 'see that nats-server runs there, with JetStream (-js), and that --bus-creds or LOADLINE_BUS_TOKEN is right',
      cause,
    });
  }
}

/** Loaded late, and optional: whoever plays probes on one host needs no NATS. */
async function loaded() {
  try {
    return await import('../../probes/hosts/nats-bus.js');
  } catch (cause) {
    throw new LoadlineError('E_BUS', "NATS' own client is not installed.", {
      where: '@nats-io/transport-node, @nats-io/jetstream',
      why: messageOf(cause),
      todo: 'run "npm ci" without leaving out optional packages',
      cause,
    });
  }
}

async function readRights({ files = {}, token: own }: BusAccess, env: Env) {
  // The bus of this run, on this machine: nothing that is meant for others concerns it.
  if (own !== undefined) return { token: own };
  const { LOADLINE_BUS_TOKEN: token, LOADLINE_BUS_USER: user, LOADLINE_BUS_PASSWORD: password } = env;
  const [creds, ca, certificate] = await Promise.all([
    readGiven(files.busCreds ?? env.NATS_CREDS, '--bus-creds or NATS_CREDS'),
    readGiven(files.busCa ?? env.LOADLINE_BUS_CA, '--bus-ca or LOADLINE_BUS_CA'),
    readGiven(files.busCert ?? env.LOADLINE_BUS_CERT, '--bus-cert or LOADLINE_BUS_CERT'),
  ]);
  const login = user && password ? { user, password } : undefined;
  return given({ creds, ca, certificate, ...(token ? { token } : { login }) });
}

async function readGiven(path: string | undefined, flags: string): Promise<string | undefined> {
  if (!path) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new LoadlineError('E_BUS', 'A file that lets us in to the bus cannot be read.', {
      where: path,
      why: messageOf(cause),
      todo: `name a file that this user may read with ${flags}`,
      cause,
    });
  }
}
