import { readFile } from 'node:fs/promises';
import { LoadlineError } from '../../model/errors.js';
import { withoutSecrets } from '../../model/secrets.js';
import type { Bus } from '../../probes/hosts/bus.js';
import type { Env, ToolProcess } from '../process.js';

export interface BusAccess {
  readonly url: string;
  /** The value of `--bus-creds`. */
  readonly creds?: string | undefined;
  /** In place of what the environment says. */
  readonly token?: string;
}

/** Connects to a bus. Throws E_BUS with what was seen. */
export async function openBus(access: BusAccess, name: string, { env }: Pick<ToolProcess, 'env'>): Promise<Bus> {
  const { url } = access;
  const { openNatsBus } = await loaded();
  const creds = await readCreds(access, env);
  const { LOADLINE_BUS_TOKEN, LOADLINE_BUS_USER: user, LOADLINE_BUS_PASSWORD: password } = env;
  const token = access.token ?? LOADLINE_BUS_TOKEN;
  const who = {
    ...(creds === undefined ? {} : { creds }),
    ...(token ? { token } : user && password ? { login: { user, password } } : {}),
  };
  try {
    return await openNatsBus({ url, name, ...who });
  } catch (cause) {
    throw new LoadlineError('E_BUS', 'The bus does not answer, or does not let us in.', {
      where: url,
      why: withoutSecrets(cause instanceof Error ? cause.message : String(cause)),
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
      why: cause instanceof Error ? cause.message : String(cause),
      todo: 'run "npm ci" without leaving out optional packages',
      cause,
    });
  }
}

async function readCreds({ creds, token }: BusAccess, env: Env): Promise<string | undefined> {
  const path = token === undefined ? (creds ?? env.NATS_CREDS) : undefined;
  if (!path) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new LoadlineError('E_BUS', 'The credentials for the bus cannot be read.', {
      where: path,
      why: cause instanceof Error ? cause.message : String(cause),
      todo: 'name a file that this user may read with --bus-creds or NATS_CREDS',
      cause,
    });
  }
}
