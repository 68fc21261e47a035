import { BlockList, isIP, isIPv6 } from 'node:net';
import { candidateLinesOf, readCandidateLine } from '../model/ice-candidate.js';

/** Where this host may send media to, as whoever runs it has named it. */
export interface Allowed {
  /** The first address that a description, a candidate or a server of ICE names and that is not allowed. */
  forbidden(words: WordsOfServer): string | undefined;
  /** Of these addresses, networks and names; absent: of all. */
  readonly words?: readonly string[];
}

/** What a media server or a conductor says that probes act on. */
export interface WordsOfServer {
  readonly description?: string;
  readonly candidate?: string;
  readonly urls?: readonly string[];
  /** Where a datagram came from. */
  readonly source?: string;
  /** Of the web: what the host is to ask itself. */
  readonly asks?: string;
}

export const allowedAll: Allowed = { forbidden: () => undefined };

/** Why a host cannot play a trial, a sentence part. */
export const forbiddenText = (address: string, how: 'send media to' | 'ask' = 'send media to'): string =>
  `it may not ${how} ${address}: its --allow does not name it`;

/** An address, a network of them (`10.0.0.0/24`) or a name, which stands for itself only. */
export const allowedWord = /^([A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|[0-9a-fA-F:.]+)(\/\d{1,3})?$/;

/** Throws where one cannot be read as an address or a network of them. */
export function allowedOnly(words: readonly string[]): Allowed {
  const networks = new BlockList();
  const names = new Set<string>();
  for (const word of words) {
    const [address = '', bits] = word.split('/');
    if (isIP(address) === 0 && /[:/]|^[\d.]+$/.test(word)) throw new Error(`${word} is no address`);
    else if (isIP(address) === 0) names.add(word.toLowerCase());
    else if (bits === undefined) networks.addAddress(address, familyOf(address));
    else networks.addSubnet(address, Number(bits), familyOf(address));
  }
  const allows = (address: string) =>
    isIP(address) === 0 ? names.has(address.toLowerCase()) : networks.check(address, familyOf(address));
  return { forbidden: (said) => addressesOf(said).find((address) => !allows(address)), words };
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

function addressesOf({ description = '', candidate = '', urls = [], source, asks }: WordsOfServer): readonly string[] {
  const candidates = [...candidateLinesOf(description), ...(candidate === '' ? [] : [candidate])];
  const asked = asks === undefined ? [] : [hostOfWeb(asks)];
  return [
    ...candidates.map(addressOfCandidate),
    ...urls.map(addressOfUrl),
    ...(source === undefined ? [] : [source]),
    ...asked,
  ];
}

/**
 * Of a line that cannot be read strictly all of it, which nobody allows: a browser might read an address in it.
 * The address of media in `c=` is not used where there is ICE.
 */
function addressOfCandidate(line: string): string {
  return readCandidateLine(line)?.address ?? line;
}

/** `turn:HOST:PORT?transport=udp` (RFC 7065); of one that cannot be read all of it, which nobody allows. */
function addressOfUrl(url: string): string {
  const form = /^(?:stun|turn)s?:(?:\[([^\]]+)\]|([^:?]+))(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/i;
  const [, bracketed, plain] = form.exec(url) ?? [];
  return bracketed ?? plain ?? url;
}

/** As above; an address of IPv6 without its brackets. */
function hostOfWeb(url: string): string {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isWeb ? new URL(url).hostname.replace(/^\[|\]$/g, '') : url;
}
