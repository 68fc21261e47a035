import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { howItEnded } from '../../host/child-processes.js';
import { ownedFolders } from '../../host/owned-folders.js';
import { readText } from '../../host/read-text.js';
import { removeFolder } from '../../host/remove-folder.js';
import { startTied } from '../../host/tied-process.js';
import { LoadlineError } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import type { Env } from '../process.js';

/** A nats-server of this run, on this machine, for nobody else. */
export type LocalBus = Awaited<ReturnType<typeof startLocalBus>>;

export const busFolders = ownedFolders('bus');

/** Debian has it where daemons are, which is not in every user's PATH. */
export const withSbin = (env: Env): Env => ({ ...env, PATH: `${env.PATH ?? ''}:/usr/local/sbin:/usr/sbin` });

const startWithinMs = 10_000;
const lookMs = 20;
const keptLines = 5;
/** Room for the longest descriptions of large rooms; the default is 1 MiB. */
const textBytesMax = 8_388_608;
const portsSchema = z.object({ nats: z.array(z.string()).min(1) });

/** Starts one on a free port of loopback or another address of this machine; it ends with us. Throws E_BUS. */
export async function startLocalBus(env: Env, { temporaryRoot = tmpdir(), address = '127.0.0.1' } = {}) {
  const folder = await busFolders.make(temporaryRoot);
  const token = randomBytes(24).toString('base64url');
  const config = join(folder, 'nats.conf');
  await writeFile(config, configOf(folder, token, address), { mode: 0o600 });
  const { pid, exited, lastLines, end } = startTied(['nats-server', '-c', config], { keptLines, env: withSbin(env) });
  let ended: string | undefined;
  void exited.then((how) => {
    ended = howItEnded(how);
  });
  const close = async () => {
    await end();
    await removeFolder(folder);
  };
  const endMs = performance.now() + startWithinMs;
  while (ended === undefined && performance.now() < endMs) {
    const url = await listening(folder);
    if (url !== undefined) return { url, token, pid, close };
    await sleep(lookMs);
  }
  await close();
  throw new LoadlineError('E_BUS', 'nats-server does not start.', {
    where: '--hosts local',
    why: [ended ?? `it does not listen after ${startWithinMs / 1000} s`, ...lastLines].join('\n'),
    todo: 'see that "nats-server -js" runs on this machine',
  });
}

/** Any free port, told in a file; nobody without the token is let in. */
function configOf(folder: string, token: string, address: string): string {
  const inFolder = (name: string) => JSON.stringify(join(folder, name));
  return [
    `listen: ${JSON.stringify(`${address}:-1`)}`,
    `ports_file_dir: ${JSON.stringify(folder)}`,
    `max_payload: ${textBytesMax}`,
    `authorization { token: ${JSON.stringify(token)} }`,
    `jetstream { store_dir: ${inFolder('streams')} }`,
    '',
  ].join('\n');
}

async function listening(folder: string): Promise<string | undefined> {
  const name = (await readdir(folder)).find((one) => one.endsWith('.ports'));
  // Half of it, while it is being written, is no JSON.
  return name && portsSchema.safeParse(jsonIn(await readText(join(folder, name)))).data?.nats[0];
}
