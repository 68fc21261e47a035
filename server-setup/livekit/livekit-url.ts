import { LoadlineError } from '../../model/errors.js';
import { placeIn } from '../sockets/place-in-url.js';

export interface LiveKitAddress {
  /** What participants open: never with a slash at its end. */
  readonly signalUrl: string;
  /** Where rooms are listed, made and deleted. */
  readonly serviceUrl: string;
  /** Host name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

const secureScheme = 'livekit+wss';
const plainPort = 7880;
const securePort = 443;

export const liveKitSchemes: readonly string[] = ['livekit', 'livekit+ws', secureScheme];

/** Reads `livekit://host:port`, and `livekit+wss://host` for one behind TLS. Throws E_SERVER_URL. */
export function parseLiveKitUrl(text: string): LiveKitAddress {
  const match = /^([a-z+]+):\/\//i.exec(text);
  const scheme = match?.[1]?.toLowerCase() ?? '';
  if (!match || !liveKitSchemes.includes(scheme)) {
    throw unreadable(text, `it begins with none of ${liveKitSchemes.join(', ')}`);
  }
  const isSecure = scheme === secureScheme;
  const usualPort = isSecure ? securePort : plainPort;
  const { url, port, host } = placeIn(text.slice(match[0].length), usualPort, (why) => unreadable(text, why));
  if (url.username !== '' || url.password !== '') throw unreadable(text, 'key and secret come from the environment');
  if (url.search !== '' || url.hash !== '') throw unreadable(text, 'a LiveKit has no use for what follows ? or #');
  const place = `${url.hostname}:${port}${url.pathname.replace(/\/$/, '')}`;
  const [signal, service] = isSecure ? ['wss', 'https'] : ['ws', 'http'];
  return { signalUrl: `${signal}://${place}`, serviceUrl: `${service}://${place}`, host, port };
}

/** Written as a LiveKit: a WebSocket address with its usual port, or in its cloud. Undefined for any other. */
export function liveKitOfWebSocket({ protocol, hostname, port, pathname }: URL): string | undefined {
  if (protocol === 'wss:') return hostname.endsWith('.livekit.cloud') ? `${secureScheme}://${hostname}` : undefined;
  const isUsual = port === `${plainPort}` && ['', '/rtc'].includes(pathname.replace(/\/$/, ''));
  return isUsual ? `livekit://${hostname}:${port}` : undefined;
}

function unreadable(text: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_URL', `The address of a LiveKit "${text}" cannot be read.`, {
    where: text,
    why,
    todo: 'write livekit://host:7880, or livekit+wss://host where it is behind TLS',
  });
}
