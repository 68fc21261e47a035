import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { lineOfSample, sampleOfLine } from '../../model/sample-line.js';
import { type Batch, type HostMessage, readBatch } from './host-messages.js';
import { BatchOutbox } from './outbox.js';

const samplesOf = (...seconds: readonly number[]): HostMessage => ({
  is: 'samples',
  samples: seconds.map(
    (second): Sample => ({ probe: '1a', host: 'a', atMs: second, intervalMs: 1000, lateMs: 0, legs: [], streams: [] }),
  ),
});
const secondsIn = (told: readonly HostMessage[]) =>
  told.flatMap((one) => (one.is === 'samples' ? one.samples.map(({ atMs }) => atMs) : []));

/** An outbox whose way is open or cut, and what has arrived. */
function anOutbox(changes: { readonly textBytesMax?: number; readonly bufferBytesMax?: number } = {}) {
  const arrived: Batch[] = [];
  const way = { isCut: false };
  const outbox = new BatchOutbox({
    host: 'a',
    trial: 't',
    textBytesMax: 1_000_000,
    ...changes,
    send: async (text) => {
      if (way.isCut) throw new Error('cut');
      const batch = readBatch(text);
      if (!batch) throw new Error(`cannot be read: ${text}`);
      arrived.push(batch);
    },
  });
  return { outbox, arrived, way, told: () => arrived.flatMap((batch) => batch.told) };
}

test('what is told in one moment is one batch, and batches are numbered from 1', async () => {
  const { outbox, arrived } = anOutbox();
  outbox.tell(samplesOf(1));
  outbox.tell({ is: 'ready' });
  await outbox.sent();
  outbox.tell(samplesOf(2));
  await outbox.sent();
  expect(arrived.map(({ number, told }) => [number, told.map(({ is }) => is)])).toEqual([
    [1, ['samples', 'ready']],
    [2, ['samples']],
  ]);
});

test('a second without samples is not told, and takes nothing else with it', async () => {
  const { outbox, told } = anOutbox();
  outbox.tell(samplesOf());
  outbox.tell({ is: 'joined' });
  await outbox.sent();
  expect(told()).toEqual([{ is: 'joined' }]);
});

test('what is longer than the bus carries goes in parts, in its order and complete', async () => {
  const { outbox, arrived, told } = anOutbox({ textBytesMax: 1600 });
  const seconds = Array.from({ length: 40 }, (_, nth) => nth + 1);
  outbox.tell(samplesOf(...seconds));
  await outbox.sent();
  expect(arrived.length).toBeGreaterThan(5);
  expect(secondsIn(told())).toEqual(seconds);
});

test('while the way is cut the oldest samples are let go of when memory ends, their number is told, and nothing else is lost', async () => {
  const { outbox, way, told } = anOutbox({ bufferBytesMax: 2000 });
  way.isCut = true;
  outbox.tell({ is: 'ready' });
  for (let second = 1; second <= 50; second += 1) outbox.tell(samplesOf(second));
  outbox.tell({ is: 'left' });
  way.isCut = false;
  await outbox.sent();
  const kept = secondsIn(told());
  expect(kept.at(-1)).toBe(50);
  expect(told().find(({ is }) => is === 'dropped')).toEqual({ is: 'dropped', samples: 50 - kept.length });
  expect(kept).toEqual(kept.map((_, nth) => 50 - kept.length + nth + 1));
  expect(told().map(({ is }) => is)).toEqual(expect.arrayContaining(['ready', 'left']));
});

test('what is no batch of a host is not read', () => {
  expect(readBatch('no JSON')).toBeUndefined();
  expect(readBatch(JSON.stringify({ host: 'a', trial: 't', number: 0, told: [] }))).toBeUndefined();
  const of = { host: 'a', atMs: 1 };
  const isRead = (told: object) =>
    readBatch(JSON.stringify({ host: 'a', trial: 't', number: 1, told: [told] })) !== undefined;
  const event = (more: object) => ({ is: 'event', event: { ...of, ...more } });
  const record = { probe: '1a', browser: 0, page: 0, up: true, join: {}, failures: [] };
  const records = (more: object) => ({ is: 'records', records: [{ ...record, ...more }] });
  const kept = (more: object) => ({ is: 'artifacts', artifacts: { ...of, probe: '1a', texts: [more] } });
  const wrong = [
    event({ type: 'host-lost' }),
    event({ type: 'warning' }),
    event({ type: 'warning', text: { length: 1 } }),
    event({ type: 'page-log', page: 0, level: 'error' }),
    event({ type: 'browser-crashed', browser: 0, probes: '1a' }),
    event({ type: 'probe-failed' }),
    event({ type: 'probe-up', probe: '1a' }),
    event({ type: 'network' }),
    records({ there: 'always' }),
    records({ routes: {} }),
    records({ rates: [{ leg: '1a' }] }),
    kept({}),
  ];
  expect(wrong.filter(isRead)).toEqual([]);
  expect([event({ type: 'warning', text: 'x' }), records({}), kept({ name: 'x', text: 'y' })].map(isRead)).toEqual([
    true,
    true,
    true,
  ]);
});

const line = '{"host":"a","atMs":5,"probe":"1a","intervalMs":1000,"lateMs":0.10,"legs":[],"streams":[]}';
const batchOf = (...lines: readonly string[]) =>
  `{"host":"a","trial":"t","number":1,"told":[{"is":"samples","lines":${lines.length}}]}\n${lines.join('\n')}`;

test('a sample arrives in the line in which its page told it', async () => {
  const { outbox, told } = anOutbox();
  outbox.tell({ is: 'samples', samples: [sampleOfLine(line)] });
  outbox.tell({ is: 'ready' });
  await outbox.sent();
  const [first] = told();
  expect(first?.is === 'samples' && first.samples.map(lineOfSample)).toEqual([line]);
});

test('of a batch with a line that is no sample nothing is read', () => {
  const stream = (more: string) =>
    line.replace('"streams":[]', `"streams":[{"leg":"1a","direction":"send","kind":"video",${more}}]`);
  expect(readBatch(batchOf(line, stream('"metrics":{"bytesSent":1}')))?.told).toMatchObject([{ samples: [{}, {}] }]);
  const wrong = [
    'null',
    '{}',
    line.replace('"atMs":5', '"atMs":"5"'),
    line.replace('"intervalMs":1000', '"intervalMs":0'),
    line.replace('"atMs":5', '"atMs":1e999'),
    line.replace('"legs":[]', '"legs":[null]'),
    stream('"metrics":{"bytesSent":"1"}'),
    stream('"metrics":null'),
  ];
  for (const one of wrong) expect(readBatch(batchOf(line, one)), one).toBeUndefined();
  expect(readBatch(`${batchOf(line)}\n${line}`)).toBeUndefined();
  expect(readBatch(batchOf(line).split('\n')[0] ?? '')).toBeUndefined();
});
