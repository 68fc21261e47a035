import { expect, test } from '@playwright/test';
import { readMetricSelector } from './metric-selector.js';
import { readMetricsPage, seriesKey } from './metrics-page.js';

const read = (text: string) => readMetricsPage(text, () => true);

test('labels, escapes, times and all forms of numbers are read as the format has them', () => {
  const { series, counters, names } = read(`# HELP a_total says a lot: "x" {y}
# TYPE a_total counter
a_total{path="x",line="y",} 1.5e+03 1395066363000
a_total { path = "x" , line = "" } 2
b -0.25
c +Inf
d NaN
`);
  expect(series.map(({ name, value, atMs }) => [name, value, atMs])).toEqual([
    ['a_total', 1500, 1_395_066_363_000],
    ['a_total', 2, undefined],
    ['b', -0.25, undefined],
    ['c', Number.POSITIVE_INFINITY, undefined],
    ['d', Number.NaN, undefined],
  ]);
  expect([...counters]).toEqual(['a_total']);
  expect(names.size).toBe(4);
});

test('escapes in the value of a label stand for what they say', () => {
  const [one] = read(String.raw`m{a="\\n",b="x\ny",c="\"q\""} 1`).series;
  expect(one?.labels).toEqual({ a: String.raw`\n`, b: 'x\ny', c: '"q"' });
});

test('a page that cannot be read to its end is no page, because half of its series would be a lower sum', () => {
  for (const text of [
    '',
    '# only words',
    '<html>',
    'm{a="x" 1',
    'm{a=x} 1',
    'm one',
    'm 1 2 3',
    'm{a="x"b="y"} 1',
    '{"m"} x',
  ]) {
    expect(() => read(text), text).toThrow();
  }
});

test('a wanted series has its value whatever stands beside it: exemplars, quoted names, times in seconds', () => {
  const values = (text: string) => read(text).series.map(({ name, value }) => [name, value]);
  expect(
    values(`rpc_bucket{le="-0.00058"} 6 # {dummyID="6876"} -0.0006266745065283909 1.6688084762944589e+09
metric_total{n="1"} 0 # {"net.http"="abc"} 1.0
process_cpu_seconds_total 12.5 # {trace_id="6c1011d34f17c4ca1177b40ddfb5184b"} 0.006
`),
  ).toEqual([
    ['rpc_bucket', 6],
    ['metric_total', 0],
    ['process_cpu_seconds_total', 12.5],
  ]);
  expect(read('{"http.server.duration",method="GET"} 1\n{"a b"} 2\n').series).toEqual([
    { name: 'http.server.duration', labels: { method: 'GET' }, value: 1 },
    { name: 'a b', labels: {}, value: 2 },
  ]);
  expect(read('c{"k8s.pod.name"="janus-0",id="/x"} 1').series[0]?.labels).toEqual({
    'k8s.pod.name': 'janus-0',
    id: '/x',
  });
  const open = read(
    '# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total 12.5 1700000000.123\na 1 1700000000\n# EOF\n',
  );
  expect(open.series.map(({ atMs }) => Math.round(atMs ?? 0))).toEqual([1_700_000_000_123, 1_700_000_000_000]);
  expect(open.counters.has('process_cpu_seconds_total')).toBe(true);
});

test('a name that no metric has is passed over, and is not taken for the wanted one that it begins with', () => {
  const text = 'process_cpu_seconds_total_% 12\nprocess_cpu_seconds_total% x\n% 1\nprocess_cpu_seconds_total 12.5';
  const page = readMetricsPage(text, (name) => name === 'process_cpu_seconds_total');
  expect(page.series).toEqual([{ name: 'process_cpu_seconds_total', labels: {}, value: 12.5 }]);
});

test('only what is wanted is read to its end', () => {
  const page = readMetricsPage('other{broken 1\nmine 2\n', (name) => name === 'mine');
  expect(page.series).toEqual([{ name: 'mine', labels: {}, value: 2 }]);
  expect([...page.names]).toEqual(['other', 'mine']);
});

test('a series is the same whatever the order of its labels, and counts once', () => {
  const { series } = read('m{a="1",b="2"} 1\nm{b="2",a="1"} 5\n');
  expect(series.map(({ value }) => value)).toEqual([5]);
  expect(seriesKey({ name: 'm', labels: { a: '1' } })).not.toBe(seriesKey({ name: 'm', labels: { a: '2' } }));
});

test('a metric is asked for by its name and by labels, and by nothing else', () => {
  expect(readMetricSelector('up')).toMatchObject({ name: 'up', labels: {} });
  expect(readMetricSelector(' a:b{x="1", y="2"} ')).toMatchObject({ name: 'a:b', labels: { x: '1', y: '2' } });
  expect(readMetricSelector('{"http.server.duration",method="GET"}')).toMatchObject({
    name: 'http.server.duration',
    labels: { method: 'GET' },
  });
  for (const text of ['', '1x', 'a{x=~"1"}', 'a{x="1"', 'a{x="1"} > 2', 'rate(a)']) {
    expect(readMetricSelector(text), text).toBeUndefined();
  }
});

test('random text is read or refused, and never hangs', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const letters = 'm_{}="\\ ,1.e+-#\n';
  const wrong: unknown[] = [];
  for (let nth = 0; nth < 2000; nth += 1) {
    const text = Array.from({ length: 40 }, () => letters[Math.floor(random() * letters.length)]).join('');
    try {
      wrong.push(...read(text).series.filter(({ value }) => typeof value !== 'number'));
    } catch (error) {
      if (!/is no metric|holds no metric/.test(String(error))) wrong.push(error);
    }
  }
  expect(wrong).toEqual([]);
});
