import { LoadlineError } from '../../model/errors.js';
import { bareHost } from '../sockets/place-in-url.js';

/** Where the name of a stream goes, in an address or in what the environment gives. */
export const streamPlace = '{stream}';

/** Checks an address such as `https://host/{stream}/whip`. Throws E_SERVER_URL. */
export function checkedEndpoint(text: string, flag: string): string {
  const unreadable = (why: string): LoadlineError =>
    new LoadlineError('E_SERVER_URL', `The server address "${text}" cannot be read.`, {
      where: flag,
      why,
      todo: `write it as a client of that server has it, with ${streamPlace} for the name of a stream: ${flag} 'https://host/${streamPlace}/${flag.slice(2)}'`,
    });
  if (!URL.canParse(filled(text, 'stream'))) throw unreadable('it is no address of the web');
  const url = new URL(filled(text, 'stream'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw unreadable('it does not begin with https:// or http://');
  if (url.username !== '' || url.password !== '') throw unreadable('a login belongs into the environment, not here');
  if (url.hash !== '') throw unreadable('a fragment (#…) is never sent to a server');
  return text;
}

/** Host name or address, IPv6 without brackets. Throws E_SERVER_URL. */
export function hostOfEndpoint(text: string): string {
  return bareHost(new URL(filled(checkedEndpoint(text, '--whip'), 'stream')));
}

/** With the name of a stream in its place. */
export function filled(text: string, stream: string): string {
  return text.replaceAll(streamPlace, stream);
}
