import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';

/** Which write API: 1 is `/write` of 1.x, 2 is `/api/v2/write`, 3 is `/api/v3/write_lp`. */
type InfluxApi = 1 | 2 | 3;

/** Where points go. Holds no login, so it may be shown and stored. */
export interface InfluxTarget {
  readonly api: InfluxApi;
  /** Lines are posted here; their times are nanoseconds. */
  readonly writeUrl: string;
  /** For people: `http://127.0.0.1:8086 (database loadline)`. */
  readonly label: string;
}

const examples =
  "'http://127.0.0.1:8086?db=loadline' for 1.x, 'http://127.0.0.1:8086?org=ORG&bucket=loadline' for 2.x, 'http://127.0.0.1:8181?db=loadline&api=3' for 3";
const paths: readonly (readonly [InfluxApi, string])[] = [
  [3, '/api/v3/write_lp'],
  [2, '/api/v2/write'],
  [1, '/write'],
];
const known: Readonly<Record<InfluxApi, readonly string[]>> = { 1: ['db', 'rp'], 2: ['org', 'bucket'], 3: ['db'] };
const needed: Readonly<Record<InfluxApi, readonly string[]>> = { 1: ['db'], 2: ['org', 'bucket'], 3: ['db'] };

/** Reads `--influx`. Throws E_INFLUX_URL, which never repeats what may be a password. */
export function readInfluxAddress(text: string, where = '--influx'): InfluxTarget {
  const url = asUrl(text, where);
  assertNoLogin(url, where);
  const asked = new Map(url.searchParams);
  const { api, base } = apiOf(url, asked, where);
  asked.delete('api');
  const missing = needed[api].filter((name) => (asked.get(name) ?? '') === '');
  if (missing.length > 0) {
    throw wrong(`The InfluxDB address lacks ${missing.join(' and ')}.`, where, `InfluxDB ${api} keeps points in it`);
  }
  const unknown = [...asked.keys()].filter((name) => !known[api].includes(name));
  if (unknown.length > 0) {
    const why = `for InfluxDB ${api} there are ${known[api].join(', ')}`;
    throw wrong(`The InfluxDB address has ${unknown.join(', ')}, which nobody reads.`, where, why);
  }
  return { api, writeUrl: writeUrlOf(api, base, asked), label: labelOf(api, base, asked) };
}

function asUrl(text: string, where: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.hash === '') return url;
  // Only what stands before a place where a login could be.
  const seen = /[@?#]/.test(text) ? `${text.slice(0, text.search(/[:@?#]/))}…` : text;
  throw wrong(`${where} must be an http or https address, not "${seen}".`, where);
}

/** An address is stored with the command of the run and seen in lists of processes. */
function assertNoLogin(url: URL, where: string): void {
  const secret = [...url.searchParams.keys()].filter((name) =>
    /^(u|p|user.*|pass.*|.*token|auth.*|.*secret)$/i.test(name),
  );
  if (url.username === '' && url.password === '' && secret.length === 0) return;
  throw new LoadlineError('E_INFLUX_URL', 'The InfluxDB address holds a login.', {
    where,
    why: 'the command is stored with the run, and a login must not be',
    todo: 'take it out, and set LOADLINE_INFLUX_TOKEN, or LOADLINE_INFLUX_USER and LOADLINE_INFLUX_PASSWORD',
  });
}

function apiOf(url: URL, asked: ReadonlyMap<string, string>, where: string): { api: InfluxApi; base: string } {
  const path = url.pathname.replace(/\/+$/, '');
  const named = paths.find(([, ending]) => path.endsWith(ending));
  const base = `${url.origin}${named ? path.slice(0, -named[1].length) : path}`;
  const word = asked.get('api');
  if (word !== undefined && !/^[123]$/.test(word)) throw wrong('api in the InfluxDB address must be 1, 2 or 3.', where);
  const api = named?.[0] ?? (word === undefined ? undefined : (Number(word) as InfluxApi));
  return { api: api ?? (asked.has('bucket') || asked.has('org') ? 2 : 1), base };
}

function writeUrlOf(api: InfluxApi, base: string, asked: ReadonlyMap<string, string>): string {
  const path = paths.find(([of]) => of === api)?.[1] ?? '';
  const query = new URLSearchParams([...asked]);
  query.set('precision', api === 3 ? 'nanosecond' : 'ns');
  // All or nothing, so that what is lost is known to the point.
  if (api === 3) query.set('accept_partial', 'false');
  return `${base}${path}?${query}`;
}

function labelOf(api: InfluxApi, base: string, asked: ReadonlyMap<string, string>): string {
  return `${base} (${api === 2 ? `bucket ${asked.get('bucket')}` : `database ${asked.get('db')}`})`;
}

function wrong(what: string, where: string, why?: string): LoadlineError {
  return new LoadlineError('E_INFLUX_URL', what, {
    where,
    ...given({ why }),
    todo: `write for example ${examples}`,
  });
}

/** From the environment, never from a flag or a file of the run. */
export interface InfluxLogin {
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
}

const halves = ['LOADLINE_INFLUX_USER', 'LOADLINE_INFLUX_PASSWORD'] as const;

/** A variable that is set to nothing counts as not set. Throws E_USAGE for half a login. */
export function influxLogin(env: Readonly<Record<string, string | undefined>>): InfluxLogin {
  const login = given({
    token: env.LOADLINE_INFLUX_TOKEN || env.INFLUX_TOKEN || undefined,
    user: env.LOADLINE_INFLUX_USER || undefined,
    password: env.LOADLINE_INFLUX_PASSWORD || undefined,
  });
  const { token, user, password } = login;
  if (token !== undefined || (user === undefined) === (password === undefined)) return login;
  const [has, lacks] = user === undefined ? [...halves].reverse() : halves;
  throw new LoadlineError('E_USAGE', `${has} is set, and ${lacks} is not.`, {
    where: `--influx, ${lacks}`,
    why: 'InfluxDB takes an account by its name and its password together',
    todo: `set ${lacks}, or leave ${has} out where no login is asked for`,
  });
}
