import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { keptPoints } from '../../tests/kept-points.js';
import { otlp } from '../otlp/otlp-kind.js';
import type { DataPoint } from '../points/data-point.js';
import { accountText } from '../points/point-sink.js';
import { prometheus } from '../prometheus/prometheus-kind.js';
import { readListenAddress } from '../scrape/listen-address.js';
import { readHeaders } from './push-address.js';
import { valuesOf } from './series.js';
import { SeriesPoints } from './series-points.js';

const stream = (probe: string, atMs: number, fields: DataPoint['fields'], trial = '1'): DataPoint => ({
  measurement: 'loadline_stream',
  tags: { run: 'r', trial, probe, role: 'caller', direction: 'receive', kind: 'video', leg: 'l' },
  fields,
  isOfSecond: true,
  atMs,
});
const trialEnd = (trial: string, atMs: number): DataPoint => ({
  measurement: 'loadline_trial',
  tags: { run: 'r', trial },
  fields: { size: 1 },
  isOfSecond: false,
  atMs,
});

/** What a sink of series is given of these, each list at once. */
function given(perProbe: boolean, ...lists: readonly (readonly DataPoint[])[]) {
  const sink = keptPoints(new SeriesPoints({ perProbe }));
  for (const points of lists) sink.add(points);
  return { points: sink.points, sink };
}

test('streams of a group in one second are their least, mean and most, counts their sum, and how many they were', () => {
  const { points, sink } = given(
    false,
    [stream('a', 1100, { rttMs: 1, packetsLost: 3, fps: 30 }), stream('b', 1900, { packetsLost: 5 })],
    [trialEnd('1', 3000)],
  );
  expect(points).toHaveLength(2);
  expect(points[0]).toEqual({
    measurement: 'loadline_streams',
    tags: {
      run: 'r',
      scenario: undefined,
      server: undefined,
      trial: '1',
      role: 'caller',
      direction: 'receive',
      kind: 'video',
      layer: undefined,
    },
    isOfSecond: true,
    atMs: 1000,
    fields: {
      count: 2,
      rttMsMin: 1,
      rttMsMean: 1,
      rttMsMax: 1,
      packetsLostMin: 3,
      packetsLostMean: 4,
      packetsLostMax: 5,
      packetsLostSum: 8,
      fpsMin: 30,
      fpsMean: 30,
      fpsMax: 30,
    },
  });
  expect(sink.remark).toBe('2 points of single probes are in them as least, mean and most');
});

test('a second is told five seconds later; what comes after that is in nothing, and is counted', () => {
  const { points, sink } = given(
    false,
    [stream('a', 1000, { fps: 1 }), stream('b', 5000, { fps: 2 })],
    [stream('a', 6500, { fps: 3 })],
    [stream('b', 1500, { fps: 9 })],
  );
  expect(points.map(({ atMs, fields }) => [atMs, fields.fpsMean])).toEqual([[1000, 1]]);
  expect(accountText(sink, 'again')).toMatch(/; 1 points of single probes came too late to be in them$/);
});

test('single probes are there as well when they are asked for', () => {
  const { points } = given(true, [stream('a', 1000, { fps: 1 }), trialEnd('1', 2000)]);
  expect(points.map(({ measurement }) => measurement)).toEqual([
    'loadline_stream',
    'loadline_streams',
    'loadline_trial',
  ]);
});

test('events are counted by type and trial, and two of a type in one millisecond stay apart', () => {
  const event = (type: string, trial: string): DataPoint => ({
    measurement: 'loadline_event',
    tags: { trial, type },
    fields: { text: 'x', size: 4 },
    isOfSecond: false,
    atMs: 1000,
  });
  const { points } = given(false, [
    event('warning', '1'),
    event('warning', '1'),
    event('phase', '1'),
    event('warning', '2'),
  ]);
  expect(points.map(({ tags, fields, atMs }) => [tags.type, tags.trial, fields.total, atMs])).toEqual([
    ['warning', '1', 1, 1000],
    ['warning', '1', 2, 1001],
    ['phase', '1', 1, 1000],
    ['warning', '2', 1, 1000],
  ]);
});

test('a number that is none is in no series, words are labels where they tell points apart, and nothing is zero', () => {
  const fields = { worst: undefined, limit: Number.NaN, passed: false, size: 0, label: 'loss "x"', worstProbe: 'p' };
  const tags = { trial: '1', host: '' };
  const point = { measurement: 'loadline_threshold', tags, fields, isOfSecond: false, atMs: 1.4 };
  expect(valuesOf(point)).toEqual({
    labels: { trial: '1', label: 'loss "x"' },
    atMs: 1,
    values: [
      { name: 'loadline_threshold_passed', value: 0 },
      { name: 'loadline_threshold_size', value: 0 },
    ],
  });
  expect(valuesOf({ ...point, fields: { label: 'x' } })).toBeUndefined();
});

test('addresses get their path, and one that may hold a login is refused without repeating it', () => {
  const perProbe = { perProbe: false };
  expect(prometheus.read('http://h:9090', perProbe).description).toBe('Prometheus http://h:9090/api/v1/write');
  expect(prometheus.read('https://h/api/prom/push', perProbe).description).toBe('Prometheus https://h/api/prom/push');
  expect(otlp.read('http://h:4318', perProbe).description).toBe('OTLP http://h:4318/v1/metrics');
  expect(otlp.read('https://h/otlp/', perProbe).description).toBe('OTLP https://h/otlp/v1/metrics');
  const wrong = [
    'h:9090',
    'ftp://h',
    'http://me:hunter2@h',
    'http://h?token=hunter2',
    'http://h#hunter2',
    'me:hunter2@h',
  ];
  const errors = [prometheus, otlp].flatMap(({ read }) => wrong.map((text) => refusal(() => read(text, perProbe))));
  expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'E_METRICS_URL'));
  expect(JSON.stringify(errors.map(({ message, where, why, todo }) => [message, where, why, todo]))).not.toContain(
    'hunter2',
  );
});

test("headers are read as OpenTelemetry's variables have them, and a wrong one is not repeated", () => {
  expect(readHeaders(' a=b , Authorization=Basic%20eDp5=', 'V')).toEqual({ a: 'b', authorization: 'Basic eDp5=' });
  expect(readHeaders(undefined, 'V')).toEqual({});
  for (const text of ['hunter2', 'a=%zz-hunter2', 'a=hunter2%0d%0ab']) {
    const error = refusal(() => readHeaders(text, 'V'));
    expect(`${error.code} ${error.where}`).toBe('E_METRICS_URL V');
    expect(JSON.stringify([error.message, error.why, error.todo])).not.toContain('hunter2');
  }
});

test('an address to listen on is this machine alone unless it names another', () => {
  expect(readListenAddress(':9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(readListenAddress('9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(readListenAddress('0.0.0.0:0')).toEqual({ host: '0.0.0.0', port: 0 });
  expect(readListenAddress('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
  const wrong = ['', 'x', ':99999', 'http://h:1', ':-1'];
  expect(wrong.map((text) => refusal(() => readListenAddress(text)).code)).toEqual(wrong.map(() => 'E_USAGE'));
});

function refusal(read: () => unknown): LoadlineError {
  try {
    read();
  } catch (error) {
    return error as LoadlineError;
  }
  throw new Error('it was taken');
}
