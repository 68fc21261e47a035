import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { someAddress } from '../../model/visit.js';

const boundMs = 3_000;
const run = promisify(execFile);

/**
 * Flags of a Chromium in a network of its own, where this host's name servers may not be reached. Its loopback
 * interface is another one. An app on this host's is reached at the host's end of the link. The name stays the same,
 * and so the page is a secure context still.
 *
 * @param inside words in front of a program's own that start it there
 */
export async function reachFlags(url: string, inside: readonly string[]): Promise<readonly string[]> {
  const host = hostIn(url);
  const address = (await isOnLoopback(host)) ? await gatewayOf(inside) : await addressOf(host);
  return address === undefined || address === host ? [] : [`--host-resolver-rules=MAP ${host} ${address}`];
}

/** Whether an app on the loopback interface also listens where networks reach it; true of any other app. */
export async function isReachedByNetworks(url: string): Promise<boolean> {
  const { port, protocol } = someAddress(url);
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all);
  const outer = own.find(({ internal, family }) => !internal && family === 'IPv4');
  if (!outer || !(await isOnLoopback(hostIn(url)))) return true;
  const socket = connect({ host: outer.address, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  const isOpen = once(socket, 'connect', { signal: AbortSignal.timeout(boundMs) });
  return isOpen
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

const hostIn = (url: string): string => someAddress(url).hostname.replace(/^\[|\]$/g, '');

async function isOnLoopback(host: string): Promise<boolean> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => address === '::1' || address.startsWith('127.'));
}

async function addressOf(host: string): Promise<string | undefined> {
  if (isIP(host) !== 0) return host;
  return lookup(host, { family: 4 }).then(
    ({ address }) => address,
    () => undefined,
  );
}

/** The host's end of the link: the only way out. */
async function gatewayOf([program = 'ip', ...words]: readonly string[]): Promise<string | undefined> {
  const { stdout } = await run(program, [...words, 'ip', 'route', 'show', 'default'], { timeout: boundMs });
  return /\bvia (\S+)/.exec(stdout)?.[1];
}
