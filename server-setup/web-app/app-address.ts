import { LoadlineError } from '../../model/errors.js';
import { someAddress } from '../../model/visit.js';
import { bareHost } from '../sockets/place-in-url.js';

/** Checks an address with places in it, such as `https://meet.example/{session}`. Throws E_SERVER_URL. */
export function checkedApp(text: string): string {
  const unreadable = (why: string): LoadlineError =>
    new LoadlineError('E_SERVER_URL', `The address of the web app "${text}" cannot be read.`, {
      where: '--url',
      why,
      todo: "write it as a browser has it, with {session} and {participant} where they go: --url 'https://meet.example/{session}?name={participant}'",
    });
  const filled = text.replaceAll(/\{(session|participant|role|index)\}/g, 'x');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) throw unreadable('it does not begin with https:// or http://');
  if (!URL.canParse(filled)) throw unreadable('it is no address of the web');
  const url = new URL(filled);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw unreadable(`it begins with ${url.protocol}, not with https:// or http://`);
  if (url.username !== '' || url.password !== '')
    throw unreadable('a login belongs into the environment, from where the join script takes it');
  const [unknown] = /\{[^}]*\}/.exec(filled) ?? [];
  if (unknown !== undefined)
    throw unreadable(
      `nothing is known that goes to ${unknown}; there are {session}, {participant}, {role} and {index}`,
    );
  return text;
}

/** Host name or address, IPv6 without brackets. Throws E_SERVER_URL. */
export function hostOfApp(text: string): string {
  return bareHost(someAddress(checkedApp(text)));
}
