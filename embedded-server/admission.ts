import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What a request must bring to be served. */
export interface Admission {
  /** Absent: whoever reaches the port may use the server. */
  readonly token?: string | undefined;
  /** The name or address that the server was told to listen on. */
  readonly host: string;
}

/** Undefined when a request may be served, else the HTTP status that refuses it (RFC 9110, 15.5). */
export function refusalStatus(request: IncomingMessage, { token, host }: Admission): 401 | 403 | undefined {
  if (isFromForeignPage(request)) return 403;
  if (token !== undefined) return equal(tokenOf(request), token) ? undefined : 401;
  return namesThisHost(request, host) ? undefined : 403;
}

/** As a header (RFC 6750, 2.1), or for clients that can give no header with a WebSocket, in the address. */
function tokenOf({ headers, url = '' }: IncomingMessage): string {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const at = url.indexOf('?');
  return (at === -1 ? undefined : new URLSearchParams(url.slice(at)).get('token')) ?? '';
}

/** In a time that tells nothing of where they differ. */
function equal(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/**
 * A name of somebody else's that was made to lead here (DNS rebinding) would give a web page of theirs the same origin
 * as this server. A page cannot choose the Host header: it holds that name, and a program here holds an address or
 * localhost.
 */
function namesThisHost({ headers }: IncomingMessage, own: string): boolean {
  const name = hostnameOf(`http://${headers.host ?? ''}`);
  return (
    isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || (name !== '' && name === own.toLowerCase())
  );
}

/**
 * A web page may not drive the server of the person who looks at it. A browser names the origin of each page (RFC 6454,
 * 7.3): `null` of a sandboxed frame or a file, and that of a page on another port of this machine, are foreign, too.
 * Programs name none.
 */
function isFromForeignPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin.toLowerCase() !== `http://${headers.host ?? ''}`.toLowerCase();
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
