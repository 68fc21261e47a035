import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { publicKeyDigest } from '../../host/public-key-digest.js';
import { someAddress } from '../../model/visit.js';
import { hostOfApp } from './app-address.js';

const boundMs = 10_000;

/**
 * Chromium does not ask Node's authorities. So where NODE_EXTRA_CA_CERTS names some, Node checks the app's certificate,
 * and the browser is told its key: that one, and no authority. SHA-256 in base64; empty where nothing is to be told.
 */
export async function keysOfApp(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  if ((env.NODE_EXTRA_CA_CERTS ?? '') === '' || !url.startsWith('https:')) return [];
  const port = Number(someAddress(url).port || 443);
  const key = await keyAt(hostOfApp(url), port);
  return key === undefined ? [] : [key];
}

/** Undefined where nobody answers, or with a certificate that is not accepted: the browser says so itself. */
export function keyAt(host: string, port: number, authorities?: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...name, ...(authorities === undefined ? {} : { ca: authorities }) });
    const end = (key?: string): void => {
      socket.destroy();
      resolve(key);
    };
    socket.setTimeout(boundMs, () => end());
    socket.once('error', () => end());
    socket.once('secureConnect', () => end(socket.authorized ? keyOf(socket) : undefined));
  });
}

const keyOf = (socket: TLSSocket): string =>
  publicKeyDigest(new X509Certificate(socket.getPeerCertificate().raw).publicKey);
