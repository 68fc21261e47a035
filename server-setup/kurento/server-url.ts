import { LoadlineError } from '../../model/errors.js';

interface ServerAddress {
  /** What the WebSocket is opened to. */
  readonly webSocketUrl: string;
  /** Host name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

const defaultPath = '/kurento';
const defaultPort = 8888;

/**
 * Reads `kurento://host:port`, `kurento://host:port/path`, `ws://…` or `wss://…`. The first two mean `ws://`, and a
 * missing path means `/kurento`. Port 8888 when none is given (443 for wss). Throws E_SERVER_URL.
 */
export function parseServerUrl(text: string): ServerAddress {
  const match = /^(kurento|ws|wss):\/\//i.exec(text);
  const scheme = match?.[1]?.toLowerCase();
  if (match === null || scheme === undefined)
    throw unreadable(text, 'it does not begin with kurento://, ws:// or wss://');
  const secure = scheme === 'wss';
  // As http, so that an explicit port 80 or 443 and the path are read like any other.
  const url = parseAs(`${secure ? 'https' : 'http'}://${text.slice(match[0].length)}`, text);
  if (url.username !== '' || url.password !== '') throw unreadable(text, 'a user name or password is not supported');
  if (url.hash !== '') throw unreadable(text, 'a fragment (#…) means nothing to a server');
  const givenPort = /^[^/?#]*:(\d+)(?=[/?#]|$)/.exec(text.slice(match[0].length))?.[1];
  const port = givenPort === undefined ? (secure ? 443 : defaultPort) : Number(givenPort);
  if (port === 0) throw unreadable(text, 'port 0 is no port');
  const path = url.pathname === '/' ? defaultPath : url.pathname;
  return {
    webSocketUrl: `${secure ? 'wss' : 'ws'}://${url.hostname}:${port}${path}${url.search}`,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
  };
}

function parseAs(http: string, text: string): URL {
  try {
    return new URL(http);
  } catch {
    throw unreadable(text, 'the part after // is not host, host:port or host:port/path');
  }
}

function unreadable(text: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_URL', `The server address "${text}" cannot be read.`, {
    where: '--server',
    why,
    todo: 'write kurento://host:8888, or the WebSocket address itself, such as wss://host:8433/kurento',
  });
}
