import { isIPv6 } from 'node:net';
import { LoadlineError } from '../../model/errors.js';
import { redacted } from '../../model/secrets.js';
import { isBlockedByBrowsers, type TurnProtocol } from '../../model/turn.js';

export interface TurnAddress {
  /** Host name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly protocol: TurnProtocol;
  /** The address in full, with port and transport. */
  readonly url: string;
}

const defaultPort = 3478;
const defaultTlsPort = 5349;

/** Reads `turn:HOST`, `turn:HOST:PORT?transport=tcp` or `turns:HOST:PORT` (RFC 7065). Throws E_TURN_URL. */
export function parseTurnUrl(text: string): TurnAddress {
  const match = /^(turns?):(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?(?:\?transport=(\w+))?$/i.exec(text.trim());
  const [, scheme = '', bracketed = '', givenPort, givenTransport] = match ?? [];
  if (!match) throw unreadable(text, shapeProblem(text));
  const secure = scheme.toLowerCase() === 'turns';
  const transport = givenTransport?.toLowerCase() ?? (secure ? 'tcp' : 'udp');
  if (transport !== 'udp' && transport !== 'tcp') throw unreadable(text, `there is no transport "${givenTransport}"`);
  if (secure && transport === 'udp')
    throw unreadable(text, 'TURN over DTLS (turns: with transport=udp) is not spoken by Chromium');
  const port = givenPort === undefined ? (secure ? defaultTlsPort : defaultPort) : Number(givenPort);
  if (port < 1 || port > 65_535) throw unreadable(text, `${port} is no port`);
  if (isBlockedByBrowsers(text.trim())) throw unreadable(text, 'browsers send nothing to port 53');
  const host = bracketed.replace(/^\[|\]$/g, '');
  return { host, port, protocol: secure ? 'tls' : transport, url: turnUrl(host, port, secure ? 'tls' : transport) };
}

export function turnUrl(host: string, port: number, protocol: TurnProtocol): string {
  const place = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return protocol === 'tls' ? `turns:${place}?transport=tcp` : `turn:${place}?transport=${protocol}`;
}

function shapeProblem(text: string): string {
  if (text.includes('@')) return 'a user name or password does not belong into the address';
  return /^turns?:/i.test(text)
    ? 'the part after : is not HOST, HOST:PORT or HOST:PORT?transport=tcp'
    : 'it does not begin with turn: or turns:';
}

function unreadable(text: string, why: string): LoadlineError {
  const shown = text.replace(/^(turns?:).*@/is, `$1${redacted}@`);
  return new LoadlineError('E_TURN_URL', `The TURN server address "${shown}" cannot be read.`, {
    where: '--turn-server',
    why,
    todo: 'write turn:HOST:3478, turn:HOST:3478?transport=tcp or turns:HOST:5349',
  });
}
