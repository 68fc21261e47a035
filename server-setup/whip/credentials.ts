import type { Environment } from '../../model/environment.js';
import { LoadlineError } from '../../model/errors.js';

/** What is shown at one endpoint; may hold `{stream}`. From the environment, and stored nowhere. */
export type ShownHeaders = Readonly<Record<string, string>>;

/** Which of the two endpoints: where streams are published, or where they are viewed. */
export type WhipProtocol = 'whip' | 'whep';

/** Variables read, each for its endpoint: what may publish need not be shown to who gives streams out. */
export const tokenNames: Readonly<Record<WhipProtocol, string>> = {
  whip: 'LOADLINE_WHIP_TOKEN',
  whep: 'LOADLINE_WHEP_TOKEN',
};
export const headerNames: Readonly<Record<WhipProtocol, string>> = {
  whip: 'LOADLINE_WHIP_HEADER',
  whep: 'LOADLINE_WHEP_HEADER',
};

/**
 * A bearer token (RFC 6750, 2.1), and headers of other names, one a line: "X-Key: 12". Throws E_USAGE.
 *
 * @param usualToken where the environment has none
 */
export function shownHeaders(way: WhipProtocol, env: Environment, usualToken?: string): ShownHeaders {
  const token = env[tokenNames[way]] || usualToken;
  const lines = (env[headerNames[way]] ?? '').split('\n').filter((line) => line.trim() !== '');
  const headers = Object.fromEntries(lines.map((line) => headerOf(line, headerNames[way])));
  if (token === undefined || token === '') return headers;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw unusable(tokenNames[way], 'a token has no spaces and no letters beyond ASCII');
  return { ...headers, authorization: `Bearer ${token}` };
}

function headerOf(line: string, variable: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*([\t\x20-\x7e]*)$/.exec(line.trim()) ?? [];
  if (name === '' || value === '') throw unusable(variable, 'each of its lines must be "Name: value"');
  return [name.toLowerCase(), value];
}

/** Its value is not shown: it is a secret. */
function unusable(variable: string, why: string): LoadlineError {
  return new LoadlineError('E_USAGE', `What ${variable} holds cannot be sent to a server.`, {
    where: variable,
    why,
    todo: `set ${variable} anew, or unset it`,
  });
}
