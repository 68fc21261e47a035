import { expect, test } from '@playwright/test';
import { aRecord } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { probeRows } from './probe-rows.js';
import { keptOf } from './trial-data.js';

const record = aRecord(calls(1), {
  index: 2,
  size: 1,
  seconds: 12,
  events: [{ type: 'page-log', atMs: 1, page: 0, level: 'error', text: 'no such device' }],
});
const kept = {
  probe: '1a',
  atMs: record.startedAtMs + 10,
  picture: 'data:image/jpeg;base64,/9j/4AAQ',
  texts: [{ name: 'offer of 1a', text: 'v=0 <script>' }],
};

test('what was kept of a failed probe stands beside it, with the console of its page', () => {
  const [first, second] = probeRows(record, null, keptOf(record, [kept]));
  expect(first?.artifacts).toEqual({
    picture: kept.picture,
    texts: [...kept.texts, { name: 'page console', text: 'error: no such device' }],
  });
  expect(second?.artifacts).toBeUndefined();
});

test('what was kept in another attempt at this trial is not shown, and nothing but a JPEG is a picture', () => {
  expect(keptOf(record, [{ ...kept, atMs: record.startedAtMs - 1 }]).size).toBe(0);
  const odd = keptOf(record, [{ ...kept, picture: 'data:image/svg+xml;base64,AAAA' }]);
  expect(odd.get('1a')?.texts).toEqual(expect.arrayContaining(kept.texts));
  expect(odd.get('1a')?.picture).toBeUndefined();
});

test('page 0 of another host is another page, and rows say on which host a probe is', () => {
  const probes = record.probes.map((probe, nth) => ({ ...probe, host: nth === 0 ? 'a' : 'b' }));
  const logged = { type: 'page-log', atMs: 1, page: 0, level: 'error', text: 'no such device', host: 'b' } as const;
  const onTwo = { ...record, probes, events: [logged] };
  const rows = probeRows(onTwo, null, keptOf(onTwo, [kept, { ...kept, probe: '1b' }]));
  expect(rows.map(({ host }) => host)).toEqual(['a', 'b']);
  expect(rows.map(({ artifacts }) => artifacts?.texts.map(({ name }) => name))).toEqual([
    ['offer of 1a'],
    ['offer of 1a', 'page console'],
  ]);
  expect(probeRows(record, null).map(({ host }) => host)).toEqual([undefined, undefined]);
});

test('a probe that ICE alone connected never connected', () => {
  const [probe] = record.probes;
  const { dtlsConnectedMs: _, ...join } = probe?.join ?? { answerMs: 1 };
  const probes = record.probes.map((one) => (one === probe ? { ...one, up: false, join } : one));
  const [first, second] = probeRows({ ...record, probes }, null);
  expect(join).toHaveProperty('iceConnectedMs');
  expect(first).not.toHaveProperty('joinMs');
  expect(second).toHaveProperty('joinMs');
});
