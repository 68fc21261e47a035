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
  for (const text of ['', '# only words', '<html>', 'm{a="x" 1', 'm{a=x} 1', 'm one', 'm 1 2 3', 'm{a="x"b="y"} 1']) {
    expect(() => read(text), text).toThrow();
  }
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
