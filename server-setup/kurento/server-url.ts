import { LoadlineError } from '../../model/errors.js';
import { placeIn } from '../sockets/place-in-url.js';

const defaultPath = '/kurento';
const defaultPort = 8888;

/**
 * Reads `kurento://host:port`, `kurento://host:port/path`, `ws://…` or `wss://…`. The first two mean `ws://`, and a
 * missing path means `/kurento`. Port 8888 when none is given (443 for wss). The host of IPv6 has no brackets. Throws
 * E_SERVER_URL.
 */
export function parseServerUrl(text: string) {
  const match = /^(kurento|ws|wss):\/\//i.exec(text);
  const scheme = match?.[1]?.toLowerCase();
  if (match === null || scheme === undefined)
    throw unreadable(text, 'it does not begin with kurento://, ws:// or wss://');
  const secure = scheme === 'wss';
  const usualPort = secure ? 443 : defaultPort;
  const { url, port, host } = placeIn(text.slice(match[0].length), usualPort, (why) => unreadable(text, why));
  if (url.username !== '' || url.password !== '') throw unreadable(text, 'a user name or password is not supported');
  if (url.hash !== '') throw unreadable(text, 'a fragment (#…) means nothing to a server');
  const path = url.pathname === '/' ? defaultPath : url.pathname;
  const webSocketUrl = `${secure ? 'wss' : 'ws'}://${url.hostname}:${port}${path}${url.search}`;
  return { webSocketUrl, host, port };
}

function unreadable(text: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_URL', `The server address "${text}" cannot be read.`, {
    where: '--server',
    why,
    todo: 'write kurento://host:8888, or the WebSocket address itself, such as wss://host:8433/kurento',
  });
}
