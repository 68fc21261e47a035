import type { IceServer } from '../../model/signalling.js';

/**
 * The ICE servers of a `Link` header (RFC 8288; RFC 9725, 4.5):
 * `<turn:example.com?transport=udp>; rel="ice-server"; username="u"; credential="c"; credential-type="password"`.
 * Links of other kinds, and those that no browser could use, are passed over.
 */
export function iceServersOf(header: string | null): readonly IceServer[] {
  return linksOf(header ?? '').flatMap(({ target, parameters }) => {
    const { rel = '', username, credential } = parameters;
    if (!rel.split(/\s+/).includes('ice-server') || !/^(stuns?|turns?):[^\s]+$/i.test(target)) return [];
    if (/^turn/i.test(target) && (username === undefined || credential === undefined)) return [];
    const login = username === undefined || credential === undefined ? {} : { username, credential };
    return { urls: [target], ...login };
  });
}

interface WebLink {
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function linksOf(header: string): readonly WebLink[] {
  const links = header.matchAll(/<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~-]+\*?\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]+))*)/g);
  return [...links].map(([, target = '', rest = '']) => ({ target: target.trim(), parameters: parametersOf(rest) }));
}

function parametersOf(text: string): WebLink['parameters'] {
  const found = text.matchAll(/;\s*([\w!#$&+.^`|~-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))/g);
  return Object.fromEntries(
    [...found].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1'),
    ]),
  );
}
