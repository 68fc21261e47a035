import type { IceServer } from '../../model/signalling.js';
import { isBlockedByBrowsers } from '../../model/turn.js';

interface NamedServers {
  readonly iceServers: readonly IceServer[];
  /** Of what was meant as one and cannot be used: a sentence part each, without its credentials. */
  readonly unusable: readonly string[];
}

/**
 * The ICE servers of a `Link` header (RFC 8288; RFC 9725, 4.6):
 * `<turn:example.com?transport=udp>; rel="ice-server"; username="u"; credential="c"; credential-type="password"`.
 * Taken as servers write them: colons for equals signs, as a draft had it, no angle brackets, semicolons at the end.
 * Links of other kinds are passed over.
 */
export function iceServersOf(header: string | null): NamedServers {
  const meant = linksOf(header ?? '').filter(isMeant);
  const read = meant.map((link) => ({ ...link, fault: faultOf(link) }));
  return {
    iceServers: read.flatMap(({ target, parameters: { username, credential }, fault }) => {
      if (fault !== undefined) return [];
      return [
        { urls: [target], ...(username === undefined || credential === undefined ? {} : { username, credential }) },
      ];
    }),
    unusable: read.flatMap(({ target, fault }) => (fault === undefined ? [] : [`${target.slice(0, 200)}: ${fault}`])),
  };
}

const extensionPattern = /^urn:ietf:params:whep:ext:(?:core:)?([\w:.-]{1,60})$/i;

/** Extensions of WHEP that an answer offers, and where, by their names' last words: "layer", "server-sent-events". */
export function extensionsOf(header: string | null, base: string): ReadonlyMap<string, string> {
  return new Map(
    linksOf(header ?? '').flatMap(({ target, parameters: { rel = '' } }) =>
      rel.split(/\s+/).flatMap((one) => {
        const name = extensionPattern.exec(one)?.[1];
        return name !== undefined && URL.canParse(target, base) ? [[name, new URL(target, base).href] as const] : [];
      }),
    ),
  );
}

/** An address of an ICE server without its `rel` is meant as one, too. */
function isMeant({ target, parameters: { rel } }: WebLink): boolean {
  return rel === undefined ? /^(stuns?|turns?):/i.test(target) : rel.split(/\s+/).includes('ice-server');
}

/** Why no browser could use it. */
function faultOf({ target, parameters }: WebLink): string | undefined {
  const { rel, username, credential, 'credential-type': type = 'password' } = parameters;
  if (rel === undefined) return 'it has no rel="ice-server"';
  if (!/^(stuns?|turns?):[^\s]+$/i.test(target)) return 'it is no address of STUN or TURN';
  if (isBlockedByBrowsers(target)) return 'browsers send nothing to port 53';
  if (/^stun/i.test(target)) return undefined;
  if (username === undefined || credential === undefined) return 'it has no username or no credential';
  return type === 'password' ? undefined : `its credential-type is ${type.slice(0, 40)}`;
}

interface WebLink {
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const targetPattern = /[\s,;]*(?:<([^<>]*)>|((?:stun|turn)s?:[^\s,;<>"]+))/iy;
const parameterPattern = /\s*;\s*(?:([\w!#$&+.^`|~-]+\*?)\s*(?:[=:]\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+)))?)?/y;
/** What is neither, up to what separates links. */
const otherPattern = /[^,"]*(?:"(?:[^"\\]|\\.)*"|"|,|$)/y;

function linksOf(header: string): readonly WebLink[] {
  const links: WebLink[] = [];
  for (let at = 0; at < header.length; ) {
    const found = matched(targetPattern, header, at);
    if (!found) {
      at += Math.max(1, matched(otherPattern, header, at)?.[0].length ?? 1);
      continue;
    }
    at += found[0].length;
    const parameters: Record<string, string> = {};
    for (let one = matched(parameterPattern, header, at); one; one = matched(parameterPattern, header, at)) {
      at += one[0].length;
      const [, name, quoted, plain] = one;
      if (name !== undefined) parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    }
    links.push({ target: (found[1] ?? found[2] ?? '').trim(), parameters });
  }
  return links;
}

function matched(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
