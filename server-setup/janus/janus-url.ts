import { LoadlineError } from '../../model/errors.js';
import { placeIn } from '../sockets/place-in-url.js';

export interface JanusAddress {
  readonly transport: 'websocket' | 'http';
  /** What is opened, or posted to; never with a slash at its end. */
  readonly url: string;
  /** Host name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

interface Scheme {
  readonly transport: JanusAddress['transport'];
  readonly protocol: string;
  readonly port: number;
  readonly path: string;
}

/** Ports and paths that Janus has where its configuration does not say otherwise. */
const schemes: Readonly<Record<string, Scheme>> = {
  janus: { transport: 'websocket', protocol: 'ws', port: 8188, path: '' },
  'janus+ws': { transport: 'websocket', protocol: 'ws', port: 8188, path: '' },
  'janus+wss': { transport: 'websocket', protocol: 'wss', port: 8989, path: '' },
  'janus+http': { transport: 'http', protocol: 'http', port: 8088, path: '/janus' },
  'janus+https': { transport: 'http', protocol: 'https', port: 8089, path: '/janus' },
};

export const janusSchemes: readonly string[] = Object.keys(schemes);

/** Reads `janus://host:port/path` and its relatives. Throws E_SERVER_URL. */
export function parseJanusUrl(text: string): JanusAddress {
  const match = /^([a-z+]+):\/\//i.exec(text);
  const scheme = schemes[match?.[1]?.toLowerCase() ?? ''];
  if (!match || !scheme) throw unreadable(text, `it begins with none of ${janusSchemes.join(', ')}`);
  const { url, port, host } = placeIn(text.slice(match[0].length), scheme.port, (why) => unreadable(text, why));
  if (url.username !== '' || url.password !== '') throw unreadable(text, 'secrets come from the environment');
  if (url.search !== '' || url.hash !== '') throw unreadable(text, 'Janus has no use for what follows ? or #');
  const path = url.pathname === '/' ? scheme.path : url.pathname.replace(/\/$/, '');
  return { transport: scheme.transport, url: `${scheme.protocol}://${url.hostname}:${port}${path}`, host, port };
}

/** Written as a Janus: a WebSocket address with its usual port or path. Undefined for any other. */
export function janusOfWebSocket({ protocol, hostname, port, pathname }: URL): string | undefined {
  const isSecure = protocol === 'wss:';
  const path = pathname.replace(/\/$/, '');
  if (path === '/janus') {
    return `${isSecure ? 'janus+wss' : 'janus'}://${hostname}:${port || (isSecure ? 443 : 80)}${path}`;
  }
  return !isSecure && port === '8188' && path === '' ? `janus://${hostname}:${port}` : undefined;
}

function unreadable(text: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_URL', `The address of a Janus "${text}" cannot be read.`, {
    where: text,
    why,
    todo: 'write janus://host:8188, or janus+http://host:8088/janus where WebSockets are off',
  });
}
