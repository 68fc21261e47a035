import { expect, test } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import { influxLogin, readInfluxAddress } from './influx-address.js';

const good: readonly (readonly [string, number, string, string])[] = [
  [
    'http://127.0.0.1:8086?db=loadline',
    1,
    'http://127.0.0.1:8086/write?db=loadline&precision=ns',
    'http://127.0.0.1:8086 (database loadline)',
  ],
  [
    'http://127.0.0.1:8086/write?db=loadline&rp=weeks',
    1,
    'http://127.0.0.1:8086/write?db=loadline&rp=weeks&precision=ns',
    'http://127.0.0.1:8086 (database loadline)',
  ],
  [
    'https://influx.test/behind/proxy/?db=a%20b',
    1,
    'https://influx.test/behind/proxy/write?db=a+b&precision=ns',
    'https://influx.test/behind/proxy (database a b)',
  ],
  [
    'http://h:8086?org=o&bucket=b',
    2,
    'http://h:8086/api/v2/write?org=o&bucket=b&precision=ns',
    'http://h:8086 (bucket b)',
  ],
  [
    'http://h:8086/api/v2/write?org=o&bucket=b',
    2,
    'http://h:8086/api/v2/write?org=o&bucket=b&precision=ns',
    'http://h:8086 (bucket b)',
  ],
  [
    'http://h:8181?db=d&api=3',
    3,
    'http://h:8181/api/v3/write_lp?db=d&precision=nanosecond&accept_partial=false',
    'http://h:8181 (database d)',
  ],
  [
    'http://h:8181/api/v3/write_lp?db=d',
    3,
    'http://h:8181/api/v3/write_lp?db=d&precision=nanosecond&accept_partial=false',
    'http://h:8181 (database d)',
  ],
];

for (const [text, api, writeUrl, label] of good) {
  test(`${text} is InfluxDB ${api}`, () => {
    expect(readInfluxAddress(text)).toEqual({ api, writeUrl, label });
  });
}

const bad: readonly (readonly [string, RegExp])[] = [
  ['', /must be an http or https address/],
  ['127.0.0.1:8086', /must be an http or https address/],
  ['ftp://h?db=d', /must be an http or https address/],
  ['http://h:8086', /lacks db/],
  ['http://h:8086?db=', /lacks db/],
  ['http://h:8086?bucket=b', /lacks org/],
  ['http://h:8086?db=d&precision=s', /has precision, which nobody reads/],
  ['http://h:8086?db=d&api=4', /api .* must be 1, 2 or 3/],
  ['http://h:8086?db=d&org=o&bucket=b', /has db, which nobody reads/],
];

for (const [text, words] of bad) {
  test(`"${text}" is refused with what to write instead`, () => {
    const error = caught(text);
    expect(error.code).toBe('E_INFLUX_URL');
    expect(error.message).toMatch(words);
    expect(error.todo).toContain('?db=loadline');
  });
}

const leaky = [
  'http://me:hunter2@h:8086?db=d',
  'http://hunter2@h:8086?db=d',
  'http://h:8086?db=d&u=me&p=hunter2',
  'http://h:8086?org=o&bucket=b&token=hunter2',
  'http://h:8086?db=d&password=hunter2',
  'http//me:hunter2@h:8086?db=d',
  'me:hunter2@h:8086',
  'http://h:99999999?p=hunter2',
  'http://h:8086?db=d&api=hunter2',
  'http://h:8086?db=d#hunter2',
  'http://h:8086?db=d&precision=hunter2',
];

for (const text of leaky) {
  test(`what may be a password in ${text.replace('hunter2', '…')} is refused and not repeated`, () => {
    const error = caught(text);
    expect(error.code).toBe('E_INFLUX_URL');
    expect(JSON.stringify([error.message, error.where, error.why, error.todo])).not.toContain('hunter2');
  });
}

test('half a login is refused by the name of what is missing, and a token needs no other half', () => {
  const user = { LOADLINE_INFLUX_USER: 'me' };
  expect(() => influxLogin(user)).toThrow('LOADLINE_INFLUX_PASSWORD is not');
  expect(() => influxLogin({ LOADLINE_INFLUX_PASSWORD: 'hunter2' })).toThrow('LOADLINE_INFLUX_USER is not');
  expect(influxLogin({ ...user, INFLUX_TOKEN: 't' }).token).toBe('t');
  expect(influxLogin({})).toEqual({});
});

function caught(text: string): LoadlineError {
  try {
    readInfluxAddress(text);
  } catch (error) {
    if (error instanceof LoadlineError) return error;
  }
  throw new Error(`${text} was taken`);
}
