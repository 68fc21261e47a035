import { LoadlineError } from '../../model/errors.js';

/** What an address that takes metrics looks like, for reading one and for saying what is wrong with it. */
interface AddressForm {
  /** "Prometheus" */
  readonly of: string;
  readonly flag: string;
  readonly example: string;
  /** The environment variables that hold a login. */
  readonly login: string;
}

/** Reads an address that is stored with the run. Throws E_METRICS_URL, which never repeats what may be a password. */
export function readPushAddress(text: string, { of, flag, example, login }: AddressForm): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const todo = `write for example ${example}`;
  if (!url || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    // Only what stands before a place where a login could be.
    const seen = /[@?#]/.test(text) ? `${text.slice(0, text.search(/[:@?#]/))}…` : text;
    throw new LoadlineError('E_METRICS_URL', `${flag} must be an http or https address, not "${seen}".`, {
      where: flag,
      todo,
    });
  }
  if (url.username === '' && url.password === '' && url.search === '') return url;
  const names = [...url.searchParams.keys()].join(', ');
  const what = url.search === '' ? 'holds a login' : `has parameters (${names}), which may be a login`;
  throw new LoadlineError('E_METRICS_URL', `The address of ${of} ${what}.`, {
    where: flag,
    why: 'the command is stored with the run, and a login must not be',
    todo: `take it out, and set ${login}`,
  });
}

/**
 * Headers as OpenTelemetry writes them in its environment variables: `name=value,name2=value2`, values percent-encoded.
 * Throws E_METRICS_URL, which repeats no value.
 */
export function readHeaders(text: string | undefined, variable: string): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map((pair, nth) => readHeader(pair, nth, variable)));
}

function readHeader(pair: string, nth: number, variable: string): readonly [string, string] {
  const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/s.exec(pair) ?? [];
  const said = decoded(value);
  if (name !== '' && said !== undefined && !/[\r\n\0]/.test(said)) return [name.toLowerCase(), said];
  throw new LoadlineError('E_METRICS_URL', `Header ${nth + 1} of ${variable} cannot be read.`, {
    where: variable,
    todo: 'write name=value, with commas between several, and values percent-encoded: x-scope-orgid=team-a',
  });
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
