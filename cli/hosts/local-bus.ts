import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endOf, howItEnded, onLines, signalGroup } from '../../host/child-processes.js';
import { ownedFolders } from '../../host/owned-folders.js';
import { killNow, processesWith } from '../../host/processes.js';
import { removeFolder } from '../../host/remove-folder.js';
import { tied } from '../../host/tied-process.js';
import { LoadlineError } from '../../model/errors.js';
import type { Env } from '../process.js';

/** A nats-server of this run, on this machine, for nobody else. */
export interface LocalBus {
  readonly url: string;
  readonly token: string;
  /** Of the shell above it, which leads its group. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

const busFolders = ownedFolders('bus');

/** Debian has it where daemons are, which is not in every user's PATH. */
export const withSbin = (env: Env): Env => ({ ...env, PATH: `${env.PATH ?? ''}:/usr/local/sbin:/usr/sbin` });

const startWithinMs = 10_000;
const lookMs = 20;
const keptLines = 5;
/** Room for the longest descriptions of large rooms; the default is 1 MiB. */
const textBytesMax = 8_388_608;
const portsSchema = z.object({ nats: z.array(z.string()).min(1) });

/** Starts one on a free port of loopback or another address of this machine; it ends with us. Throws E_BUS. */
export async function startLocalBus(
  env: Env,
  {
    temporaryRoot = tmpdir(),
    address = '127.0.0.1',
  }: { readonly temporaryRoot?: string; readonly address?: string } = {},
): Promise<LocalBus> {
  const folder = await busFolders.make(temporaryRoot);
  const token = randomBytes(24).toString('base64url');
  const config = join(folder, 'nats.conf');
  await writeFile(config, configOf(folder, token, address), { mode: 0o600 });
  const [shell, words] = tied(['nats-server', '-c', config]);
  const child = spawn(shell, words, { detached: true, stdio: ['pipe', 'pipe', 'pipe'], env: withSbin(env) });
  child.stdin.on('error', () => undefined);
  const last: string[] = [];
  onLines([child.stdout, child.stderr], (line) => {
    last.push(line);
    if (last.length > keptLines) last.shift();
  });
  let ended: string | undefined;
  const exited = endOf(child).then((end) => {
    ended = howItEnded(end);
  });
  const close = async () => {
    signalGroup(child.pid);
    await exited;
    signalGroup(child.pid);
    child.stdin.destroy();
    await removeFolder(folder);
  };
  const endMs = performance.now() + startWithinMs;
  while (ended === undefined && performance.now() < endMs) {
    const url = await listening(folder);
    if (url !== undefined) return { url, token, pid: child.pid, close };
    await sleep(lookMs);
  }
  await close();
  throw new LoadlineError('E_BUS', 'nats-server does not start.', {
    where: '--hosts local',
    why: [ended ?? `it does not listen after ${startWithinMs / 1000} s`, ...last].join('\n'),
    todo: 'see that "nats-server -js" runs on this machine',
  });
}

/** Removes what killed runs left: folders, and running servers. Returns what was removed, in a few words each. */
export async function removeBusLeftovers(temporaryRoot: string): Promise<readonly string[]> {
  const removed = await Promise.all(
    (await busFolders.abandoned(temporaryRoot)).map(async (folder) => {
      const pids = await processesWith((argument) => argument.startsWith(`${folder}/`));
      for (const pid of pids) killNow(pid);
      await removeFolder(folder);
      return [...pids.map((pid) => `the nats-server process ${pid}`), `the folder ${folder}`];
    }),
  );
  return removed.flat();
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
  if (name === undefined) return undefined;
  try {
    return portsSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))).nats[0];
  } catch {
    // It is being written.
    return undefined;
  }
}
