import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { aggregateNames } from '../../../model/aggregate.js';
import { measures } from '../../../model/measures.js';
import { thresholdsSchema } from '../../../model/plan.js';
import { withExpressions } from './apply.js';
import { type Expression, readExpression } from './expression.js';
import { presetNames, presetOf, thresholdsOfPreset } from './presets.js';

const defaults = thresholdsSchema.parse({});

function read(text: string): Expression {
  const result = readExpression(text);
  if (!result.ok) throw new Error(result.pointer);
  return result.expression;
}

const applied = (...texts: readonly string[]) => withExpressions(defaults, texts.map(read));

test('the default preset says in expressions what the plan defaults to', () => {
  expect(thresholdsOfPreset('default')).toEqual(defaults);
});

for (const name of presetNames) {
  test(`every expression of the preset ${name} is read, and each preset sets every named limit`, () => {
    for (const text of presetOf(name)) expect(readExpression(text)).toMatchObject({ ok: true });
    const named = (texts: readonly string[]) => texts.map((text) => text.split(/ [<>]= /)[0]);
    expect(named(presetOf(name))).toEqual(expect.arrayContaining(named(presetOf('default'))));
  });
}

test('a strict preset is nowhere more lenient than the default, a lenient one nowhere stricter', () => {
  const [strict, lenient] = [thresholdsOfPreset('strict'), thresholdsOfPreset('lenient')];
  for (const key of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const [low, middle, high] = [strict[key], defaults[key], lenient[key]] as [number, number, number];
    if (key.endsWith('Min')) expect(low >= middle && middle >= high, key).toBe(true);
    else expect(low <= middle && middle <= high, key).toBe(true);
  }
});

const single: readonly (readonly [string, Partial<typeof defaults>])[] = [
  ['video.loss.mean <= 0.5%', { videoLossPercentMax: 0.5 }],
  ['video.loss <= 0%', { videoLossPercentMax: 0 }],
  ['mean(video.loss) ≤ 2 %', { videoLossPercentMax: 2 }],
  ['worst5s(video.loss) <= 3%', { videoLossBurstPercentMax: 3 }],
  ['p95(join.firstFrame) <= 2500ms', { firstFrameP95MsMax: 2500 }],
  ['join.time <= 4s', { joinMsMax: 4000 }],
  ['bitrate.mean >= 70% of baseline', { bitratePercentOfBaselineMin: 70 }],
  ['fps >= 90% of baseline', { framesPercentOfBaselineMin: 90 }],
  ['rtt.mean <= 0.2s', { rttMsMax: 200 }],
  ['audio.mos >= 4', { mosMin: 4 }],
  ['mos >= 4', { mosMin: 4 }],
  ['loss.mean <= 0.2%', { videoLossPercentMax: 0.2, audioLossPercentMax: 0.2 }],
  ['bad probes <= 0', {}],
  ['bad probes <= 2', { badProbes: { max: 2, unit: 'probes' } }],
  ['bad probes <= 5%', { badProbes: { max: 5, unit: '%' } }],
];

for (const [text, changes] of single) {
  test(`"${text}" changes ${Object.keys(changes).join(' and ') || 'nothing'} and no other limit`, () => {
    expect(applied(text)).toEqual({ ...defaults, ...changes });
  });
}

test('what no named limit says becomes a rule of its own', () => {
  expect(applied('sent.video.bitrate >= 0.3 Mbit/s').also).toEqual([
    {
      of: 'stream',
      text: 'sent.video.bitrate.mean >= 300 kbit/s',
      aggregate: 'bitrateKbps',
      kind: 'video',
      direction: 'send',
      ofBaseline: false,
      comparison: 'at-least',
      limit: 300,
      unit: 'kbit/s',
    },
  ]);
  expect(applied('p50(join.firstFrame) <= 1s').also).toMatchObject([{ of: 'join', statistic: 'p50', limit: 1000 }]);
});

test('jitter has its named limit on audio, and what is asked of video stands beside it', () => {
  expect(applied('received.audio.jitter.mean <= 20ms')).toEqual({ ...defaults, jitterMsMax: 20 });
  const both = applied('received.jitter.mean <= 20ms');
  expect(both.jitterMsMax).toBe(20);
  expect(both.also).toMatchObject([{ aggregate: 'jitterMs', direction: 'receive', limit: 20 }]);
});

test('a limit for a part of the streams leaves the named limit as it is for the others', () => {
  const { also, bitratePercentOfBaselineMin } = applied('video.bitrate.mean >= 60% of baseline');
  expect(bitratePercentOfBaselineMin).toBe(80);
  expect(also).toMatchObject([{ aggregate: 'bitrateKbps', kind: 'video', ofBaseline: true, limit: 60 }]);
});

test('a later limit replaces an earlier one on the same streams, a wider one replaces the narrower', () => {
  expect(applied('video.bitrate >= 300kbps', 'video.bitrate >= 400kbps').also).toMatchObject([{ limit: 400 }]);
  expect(applied('video.bitrate >= 60% of baseline', 'bitrate >= 70% of baseline')).toEqual({
    ...defaults,
    bitratePercentOfBaselineMin: 70,
  });
  expect(applied('bad probes <= 3', 'bad probes <= 0')).toEqual(defaults);
});

test('every aggregate can be named in an expression, for every kind and direction that it exists for', () => {
  for (const aggregate of aggregateNames) {
    const { name, statistic, better, kinds, directions } = measures[aggregate];
    for (const kind of kinds) {
      for (const direction of directions) {
        const way = direction === 'send' ? 'sent' : 'received';
        const bare = `${way}.${kind}.${name}.${statistic} ${better === 'less' ? '<=' : '>='} 4`;
        const readings = ['', '%', 'ms', 'kbit/s'].map((unit) => readExpression(`${bare}${unit}`));
        const good = readings.filter((one) => one.ok);
        expect(good.length, bare).toBeGreaterThan(0);
        for (const one of good) expect(one.expression).toMatchObject({ aggregate, kind, direction, limit: 4 });
      }
    }
  }
});

test('the plain form of an expression is read as the same expression', () => {
  for (const name of presetNames) {
    for (const text of presetOf(name)) expect(read(read(text).text)).toEqual(read(text));
  }
  for (const [text] of single) expect(read(read(text).text)).toEqual(read(text));
});

const faults: readonly (readonly [string, number, string])[] = [
  ['audio.mos.mean >= 9', 18, 'no estimate is above 4.41'],
  ['', 0, 'is missing'],
  ['video', 0, 'the measure is missing'],
  ['video.los.mean <= 1%', 6, 'did you mean loss?'],
  ['video.loss.meen <= 1%', 11, 'loss has no "meen", only mean and worst5s'],
  ['video.loss.mean <= 1', 19, 'needs a unit: %'],
  ['video.loss.mean <= 1ms', 20, 'here belongs a unit: %'],
  ['video.loss.mean < 1%', 16, 'write <='],
  ['video.loss.mean >= 1%', 16, 'is better when lower'],
  ['audio.mos <= 3', 10, 'is better when higher'],
  ['video.loss.mean = 1%', 16, 'compared with <= or >='],
  ['video.loss.mean 1%', 16, 'here must be <= or >='],
  ['video.loss.mean <=', 18, 'the limit, a number is missing'],
  ['video.loss.mean <= -1%', 19, 'below zero'],
  ['video.loss.mean <= 1% of baseline', 22, 'the baseline keeps bitrate, fps and frameWidth'],
  ['video.bitrate >= 80% of average', 24, 'only be of baseline'],
  ['video.bitrate <= 80% of baseline', 21, 'lower bound'],
  ['video.bitrate >= 80%', 19, 'kbit/s'],
  ['audio.fps >= 20', 0, 'fps exists for video only'],
  ['sent.mos >= 3', 0, 'mos.mean exists for received streams only'],
  ['p95(join.firstFrame <= 5s', 20, 'here must be )'],
  ['p95(join.firstFrame.p50) <= 5s', 20, 'said twice'],
  ['join.started <= 5s', 5, 'join.time, join.firstFrame, join.answer and join.success'],
  ['join.time.p90 <= 5s', 10, 'has no "p90"'],
  ['join.success <= 99%', 13, 'is better when higher'],
  ['p99(join.success) >= 99%', 0, 'has no statistic'],
  ['join.success >= 101%', 16, 'no more than 100%'],
  ['join.time <= 0s', 13, 'above zero'],
  ['bad sessions <= 0', 4, 'bad probes <= 0'],
  ['bad probes >= 1', 11, 'is better when lower'],
  ['video.loss.mean <= 1% please', 22, 'should end'],
  ['video.loss.mean <= 1%;', 21, 'should end'],
  ['video..loss <= 1%', 6, 'a name after the dot'],
  ['video.loss.mean.max <= 1%', 16, 'one name too many'],
  ['__proto__ <= 1%', 0, 'here must be'],
  ['constructor <= 1%', 0, 'no measure'],
];

for (const [text, column, says] of faults) {
  test(`"${text}" is refused at column ${column}, with "${says}"`, () => {
    const result = readExpression(text);
    if (result.ok) throw new Error('it was read');
    expect(result.message).toContain(says);
    expect(result.column).toBe(column);
    const [expression, carets] = result.pointer.split('\n');
    expect(expression).toBe(text);
    expect(carets?.indexOf('^')).toBe(column);
  });
}

test('the page of judging lists every figure of every preset', () => {
  const page = readFileSync(new URL('../../../docs/reference/judging.md', import.meta.url), 'utf8');
  for (const [index, name] of presetNames.entries()) {
    for (const text of presetOf(name)) {
      const [, subject = '', limit = ''] = /^(.* [<>]=) (.*)$/.exec(text) ?? [];
      const row = page.split('\n').find((line) => line.startsWith(`| \`${subject}\` |`));
      expect(row?.split('|')[index + 2]?.trim(), `${name}: ${text}`).toBe(limit);
    }
  }
});
