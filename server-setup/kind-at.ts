import { LoadlineError } from '../model/errors.js';
import { listedWith } from '../model/listed.js';
import { formsOf, type Kinds, type ServerKind } from './server-kind.js';

/** The kind of what follows `--server`. Throws E_SERVER_URL. */
export function kindAt(text: string, kinds: Kinds): ServerKind {
  assertOne(text);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const found = kinds.find(({ name, place }) =>
    place.by === 'address' ? scheme !== undefined && place.schemes.includes(scheme) : name === text,
  );
  if (found) {
    if (found.place.by === 'address') {
      assertNotOfOther(text, found, kinds);
      found.place.hostOf(text);
    }
    return found;
  }
  const schemes = kinds.flatMap(({ place }) => (place.by === 'address' ? place.schemes : []));
  const meant = kinds.filter(({ name }) => text.toLowerCase().startsWith(name));
  throw new LoadlineError('E_SERVER_URL', `The server address "${text}" cannot be read.`, {
    where: '--server',
    why: `it does not begin with ${listedWith(
      'or',
      schemes.map((one) => `${one}://`),
    )}`,
    todo: meant[0] ? { write: { '--server': meantAddress(text, meant[0]) } } : `write ${formsOf(kinds)}`,
  });
}

/** Throws E_SERVER_URL for a list, of which all but the first would be read as a path or a port. */
function assertOne(text: string): void {
  const each = text.split(/[,;\s]+(?=[a-z][a-z0-9+.-]*:\/\/)/i);
  if (each.length < 2) return;
  throw new LoadlineError('E_SERVER_URL', `"${text}" is ${each.length} addresses in one.`, {
    where: '--server',
    why: 'the servers of a cluster are named one by one',
    todo: { give: { '--server': each } },
  });
}

/** "kurento:/10.0.0.5" as it should be, or an address that could be. */
function meantAddress(text: string, { name, place }: ServerKind): string {
  const host = text.slice(name.length).replace(/^[:/]+/, '');
  if (place.by !== 'address') return name;
  return /^(localhost|[\w-]+(\.[\w-]+)+|\[[0-9a-f:]+\])(:\d+)?(\/|$)/i.test(host)
    ? `${place.schemes[0]}://${host}`
    : place.example;
}

/** Throws E_SERVER_URL for `ws://host:8188`, which would be read as one kind and is usual for another. */
function assertNotOfOther(text: string, { name, inWords }: ServerKind, kinds: Kinds): void {
  const url = /^wss?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return;
  for (const { inWords: other, place } of kinds) {
    const written = place.by === 'address' ? place.ofWebSocket?.(url) : undefined;
    if (written === undefined) continue;
    const path = url.pathname === '/' ? '' : url.pathname;
    const own = `${name}://${url.hostname}:${url.port || 80}${path}`;
    const what = `"${url.protocol}//${url.host}${path}" is the usual address of ${other}, but ${url.protocol}// means ${inWords}.`;
    throw new LoadlineError('E_SERVER_URL', what, {
      where: '--server',
      todo: [
        { give: { '--server': written } },
        ...(url.protocol === 'ws:' ? [{ give: { '--server': own }, note: `if it is ${inWords}` }] : []),
      ],
    });
  }
}
