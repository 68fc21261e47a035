import { performance } from 'node:perf_hooks';
import { expect, test } from '@playwright/test';
import { arrivalsRecord } from '../../analysis/arrivals/arrivals-record.js';
import { serverErrors } from '../../analysis/judge/server-said.js';
import { terminalText } from '../../cli/process.js';
import { LoadlineError } from '../../model/errors.js';
import { plainJson, plainText } from '../../model/plain-text.js';
import { withoutSecrets } from '../../model/secrets.js';
import { readMetricsPage } from '../../server-setup/evidence/metrics-page.js';
import { typeOf } from '../../server-setup/kurento/kurento-calls.js';
import { iceServersOf } from '../../server-setup/whip/link-header.js';
import { lineOf } from '../../store/influx/influx-writer.js';
import { both, times } from '../effort.js';

/** What patterns find nearly, again and again: each is repeated. */
const hostile: readonly string[] = [
  ...['a', 'a.', '-', '--', 'token', '-token ', '-token\t', 'token=', 'token="', "token='", 'Bearer ', 'Basic a', ' '],
  ...[
    '://a',
    '://a:',
    '://a:b',
    'a://b:c',
    'passw',
    'x_headers-',
    '=',
    '"',
    '\\',
    '"token":',
    '"token":"',
    'token\\',
    'token\\"',
    'token" ',
    'token:',
    'token: ',
    '://a@',
    '\\u001',
    '\\u001b',
    '\\\\u001b',
    '0',
    '.',
    '_0',
    '<a>;b="',
    '<a>; ',
  ],
  ...['\u001b[', '\u001b[31', '\u001b[31;', '\r', '\r\n', '\u202e', '\u0085', '\ud800'],
];

const failed = (detail: string) => ({ type: 'server', kind: 'failed', of: 'server', atMs: 0, detail }) as const;
const join = { participant: '1a', session: '1', dueMs: 0, endedMs: 0 };
const arrivals = {
  ...{ sessionsPerSecond: 1, window: { startMs: 0, endMs: 1000 }, stays: [], areBrowsers: false },
  ...{ dueMs: new Map([['1a', 0]]), asleepMs: [] },
};
const refused = (detail: string) => ({ ...join, failure: { code: 'refused', atMs: 0, detail } }) as const;

function pageOf(text: string): unknown {
  try {
    return readMetricsPage(text, () => true);
  } catch {
    return undefined;
  }
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  withoutSecrets,
  plainText,
  plainJson,
  terminalText: (text) => terminalText(text, { isTty: true }),
  'a number of a page of metrics': (text) => pageOf(`a ${text}`),
  'a label of a page of metrics': (text) => pageOf(`a{b="${text}`),
  "a server's error": (text) => serverErrors([failed(text)]),
  'why many did not join': (text) => arrivalsRecord({ ...arrivals, joins: [refused(text)] as never }),
  'the kind of an object': typeOf,
  'a tag of a point': (text) =>
    lineOf({ measurement: 'm', tags: { tag: text }, fields: { value: 1 }, isOfSecond: true, atMs: 1 }),
  'servers of ICE in a header': (text) => iceServersOf(text.slice(0, longestHeader)),
  'an error': (text) => new LoadlineError('E_SERVER_REFUSED', text, { where: text, why: text }).why,
};

/** Of Node's parser of HTTP. */
const longestHeader = 16_384;

const length = times(8_000, 32_000);
const factor = 16;
/**
 * What grows with the length takes about `factor` times as long, and some more for its memory; what grows with its
 * square `factor` times that.
 */
const steepest = factor * 10;

/** Of the shorter text: a time that grows with the square is far above it. Below it the clock tells little. */
const leastMsTold = 1;

/** The least of several: what else this machine does only adds. */
function leastMs(work: () => unknown): number {
  const tries = Array.from({ length: 2 }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
  return Math.max(Math.min(...tries), leastMsTold);
}

function growth(read: (text: string) => unknown, piece: string): number {
  // What a pattern finds to the end, it would not look for again.
  const of = (characters: number) => `${piece.repeat(Math.ceil(characters / piece.length))}\u0001!`;
  const [little, much] = [of(length), of(length * factor)];
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < 5 && least > steepest; nth += 1) {
    least = Math.min(least, leastMs(() => read(much)) / leastMs(() => read(little)));
  }
  return least;
}

for (const [name, read] of Object.entries(readers)) {
  test(`the time of ${name} grows with the length of a hostile text, and not with its square`, both, () => {
    const steep = hostile.map((piece) => ({ piece, grows: Math.round(growth(read, piece)) }));
    expect(steep.filter(({ grows }) => grows > steepest)).toEqual([]);
  });
}

test('of the words of others an error keeps so many that it can be read', () => {
  const { message, why } = new LoadlineError('E_SERVER_REFUSED', 'x'.repeat(5_000), { why: 'y'.repeat(5_000) });
  expect([message, why]).toEqual([
    `${'x'.repeat(2_000)}… (5000 characters)`,
    `${'y'.repeat(2_000)}… (5000 characters)`,
  ]);
});
