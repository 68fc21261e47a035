import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { nearnessOf } from '../../host/addresses.js';
import { bareHost } from '../sockets/place-in-url.js';

/**
 * Why a server may not send a request on to another address; undefined where it may. A login goes to another origin by
 * https alone: a large provider answers at its region's host. Nobody is sent nearer than the server itself is: from a
 * public address to a private one, or from another host to this machine.
 */
export async function whyNotSentOn(from: string, to: string, showsLogin: boolean): Promise<string | undefined> {
  const [here, there] = [new URL(from), new URL(to)];
  if (here.origin === there.origin && there.origin !== 'null') return undefined;
  if (!/^https?:$/.test(there.protocol)) return `leads to ${there.protocol}, which is no web`;
  if (there.protocol === 'http:' && here.protocol === 'https:')
    return `leads from https to ${to}, where a token would be read on the way`;
  if (there.protocol === 'http:' && showsLogin)
    return `leads to another host by http (${to}), where a token would be read`;
  if ((await nearest(there)) > (await nearest(here)))
    return `leads to a network that is nearer than the server's (${to})`;
  return undefined;
}

/** Whether a session's address is of the origin that answered: what is shown to one server is shown to no other. */
export function isOfOrigin(session: string, answered: string): boolean {
  const { origin, username, password } = new URL(session);
  // With a login in it, nobody can ask for it.
  return origin !== 'null' && origin === new URL(answered).origin && username === '' && password === '';
}

/** Of all addresses of a name. One that cannot be resolved is asked by nobody, and the request says why. */
async function nearest(url: URL): Promise<number> {
  const host = bareHost(url);
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  return Math.max(0, ...found.map(({ address }) => nearnessOf(address)));
}
