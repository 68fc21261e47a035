import { createHash, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
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
  const port = Number(new URL(url.replaceAll(/\{[a-z]+\}/g, 'x')).port || 443);
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

function keyOf(socket: TLSSocket): string {
  const key = new X509Certificate(socket.getPeerCertificate().raw).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
