import { LoadlineError } from '../../model/errors.js';

/** E_SERVER_URL of what stands behind `--server`, by its reason. */
export const unreadableAddress =
  (text: string, todo: string) =>
  (why: string): LoadlineError =>
    new LoadlineError('E_SERVER_URL', `The server address "${text}" cannot be read.`, { where: '--server', why, todo });

/** Host name or address, IPv6 without brackets. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * What follows "scheme://", read as http whatever the scheme is: so host, port and path are read alike, and a port that
 * is given stays one. Throws what `unreadable` makes of the reason.
 */
export function placeIn(rest: string, usualPort: number, unreadable: (why: string) => Error) {
  const text = `http://${rest}`;
  if (!URL.canParse(text)) throw unreadable('the part after // is not host, host:port or host:port/path');
  const url = new URL(text);
  const given = /^[^/?#]*:(\d+)(?=[/?#]|$)/.exec(rest)?.[1];
  const port = given === undefined ? usualPort : Number(given);
  if (port === 0) throw unreadable('port 0 is no port');
  return { url, port, host: bareHost(url) };
}
