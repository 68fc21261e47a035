import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { runStory, type StoryName, storyNames } from '../../tests/builders/run-stories.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { runResult } from '../search/result.js';
import { plainStyle, type TextStyle } from './layout.js';
import { summary } from './text.js';
import { trialLine, trialRow, trialRowHeader } from './trial-line.js';

const golden = (name: string) => new URL(`./golden/${name}.txt`, import.meta.url);

for (const name of storyNames) {
  test(`the summary of the story "${name}" reads as it did`, () => {
    const text = summary(runStory(name));
    if (test.info().config.updateSnapshots === 'all') writeFileSync(golden(name), text);
    expect(text).toBe(readFileSync(golden(name), 'utf8'));
  });

  test(`no line of "${name}" is wider than 80 columns`, () => {
    const run = runStory(name);
    const rows = run.records.map((record) => trialRow(record, plainStyle));
    const lines = [...summary(run).split('\n'), trialRowHeader({ one: 'viewer', many: 'viewers' }), ...rows];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
}

test('the first line names the server, and an embedded or simulated one for what it is', () => {
  const firstLine = (name: StoryName) => summary(runStory(name)).split('\n')[1];
  expect(firstLine('found')).toBe('  embedded 0.1.0 holds 3 calls (6 probes) on 4 cores, in 3 of 3 trials.');
  expect(firstLine('simulated')).toContain('simulated');
  const renamed = aRun(runStory('found').records, { outcome: 'found', stable: 3 }, { name: 'mine' });
  expect(summary(renamed).split('\n')[1]).toContain('embedded mine');
});

test('colour changes no character: the same text without it', () => {
  const mark = (text: string) => `\u001b[1m${text}\u001b[0m`;
  const style: TextStyle = { dim: mark, bold: mark, good: mark, bad: mark, warn: mark };
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  for (const run of storyNames.map(runStory)) {
    expect(summary(run, style).replaceAll(escapes, '')).toBe(summary(run));
    for (const record of run.records) {
      expect(trialRow(record, style).replaceAll(escapes, '')).toBe(trialRow(record, plainStyle));
    }
  }
});

test('labels that are wider than their column are told whole', () => {
  const { records, ...run } = runStory('found');
  const label = (statistic: string) => `video loss after resending beyond its link, ${statistic}`;
  const renamed = records.map((record) => ({
    ...record,
    verdict: {
      ...record.verdict,
      thresholds: record.verdict.thresholds.map((one) =>
        one.code.startsWith('video-loss') ? { ...one, label: label(one.code) } : one,
      ),
    },
  }));
  const text = summary({ ...run, records: renamed });
  for (const code of ['video-loss', 'video-loss-burst']) expect(text).toContain(`✓ ${label(code)}\n`);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the round trip of the spread is the one that is judged: the longer of transport and reports', () => {
  const { records, ...run } = runStory('found');
  const reported = records.map((record) => ({
    ...record,
    streams: record.streams.map((stream) =>
      stream.direction === 'send' ? { ...stream, values: { ...stream.values, rttMs: 35 } } : stream,
    ),
  }));
  expect(summary({ ...run, records: reported })).toMatch(/round trip, ms +35 +35 +35 +35 +35/);
  expect(trialLine(reported[0] as (typeof reported)[number])).toContain('rtt_max=35ms');
});

test('a trial is one line of name=value for pipes', () => {
  const [, , record] = runStory('found').records;
  if (!record) throw new Error('no third trial');
  expect(trialLine(record)).toBe(
    'trial=3 size=4 probes=8 up=8 verdict=unstable because=video-loss,frozen,audio-loss,low-bitrate,low-frame-rate,video-loss-burst fps_min=14 frozen_max=10% loss_max=6.2% rtt_max=20ms server_cores=0.21 host_cpu=25%',
  );
});

test('the worst frame rate is that of cameras, and the worst loss is of no messages', () => {
  const members = [aProbe('1a').receivesVideo({ fps: 5 }).seesScreen(), aProbe('1b').receivesVideo({ fps: 24 })];
  const record = aRecord(members, { index: 1, size: 1 });
  const [stream] = record.streams;
  if (!stream) throw new Error('no stream');
  const messages = { ...stream, direction: 'receive', kind: 'data', values: { lossPercent: 50 } } as const;
  const line = trialLine({ ...record, streams: [...record.streams, messages] });
  expect([/fps_min=(\S+)/.exec(line)?.[1], /loss_max=(\S+)/.exec(line)?.[1]]).toEqual(['24', '0%']);
});

test('samples that are missing are never told as none, and the CPU of native probes is not that of browsers', () => {
  const load = { samplesExpected: 100_000, samplesGot: 99_997 };
  const run = aRun([aRecord(calls(1), { index: 1, size: 1, load })], { outcome: 'reached-max', stable: 1 });
  expect(summary(run)).toContain('Samples: 99.997 % of 100000 arrived');
  const { manifest } = run;
  const native = { ...manifest, plan: { ...manifest.plan, players: { kind: 'native', sentinels: 4 } as const } };
  expect(summary({ ...run, manifest: native })).toContain('probes 0.8 cores');
});

test('what was not measured is left out of the line and a dash in the row, never a zero', () => {
  const record = aRecord(calls(1), { index: 1, size: 1, window: null });
  const bare = { ...record, load: { samplesExpected: 0, samplesGot: 0 } };
  expect(trialLine(bare)).toBe('trial=1 size=1 probes=2 up=2 verdict=void because=samples-missing');
  expect(trialRow(bare, plainStyle)).toMatch(/^ {4}1 {7}1 {5}- {7}- {7}- {7}- {6}- {7}- {2}\? samples missing$/);
});

test('the result document keeps its contract', () => {
  const result = runResult(runStory('found'));
  expect(Object.keys(result)).toEqual([
    'scenario',
    'server',
    'unit',
    'limit',
    'probesAtLimit',
    'outcome',
    'trials',
    'runDirectory',
    'because',
  ]);
  expect(result).toMatchObject({ unit: 'calls', limit: { stable: 3, unstable: 4, flaky: [] }, probesAtLimit: 6 });
  expect(result.trials[2]).toMatchObject({
    size: 4,
    probes: 8,
    verdict: 'unstable',
    reasons: expect.arrayContaining([
      expect.objectContaining({ code: 'low-bitrate', probe: '4b', session: '4', text: expect.any(String) }),
    ]),
  });
});

test('whatever the figures, no line of a summary is wider than 80 columns', both, () => {
  const random = randomFrom(5);
  const some = (most: number) => 10 ** (random() * Math.log10(most));
  for (let round = 0; round < times(8, 30); round += 1) {
    const size = 1 + Math.floor(random() * 3);
    const odd = aProbe(`${size}b`)
      .receivesVideo({ kbps: some(1e6), fps: some(60), lossPercent: random() * 90, jitterMs: some(1e5) })
      .isRead({ rttMs: some(1e6), lateMs: some(1e5) })
      .joined({ dtlsConnectedMs: some(1e7), firstFrameMs: some(1e7) });
    const load = { serverCoresMean: some(1000), serverRssMbMax: some(1e7), probeHostBusyPercentMean: random() * 100 };
    const probes = withProbes(calls(size), odd);
    const records = [aRecord(calls(1), { index: 1, size: 1 }), aRecord(probes, { index: 12_345, size: 10_000, load })];
    const kind = records[1]?.verdict.kind === 'stable';
    const run = aRun(records, { outcome: 'found', stable: kind ? 10_000 : 1, unstable: kind ? null : 10_000 });
    const lines = [...summary(run).split('\n'), ...records.map((record) => trialRow(record, plainStyle))];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  }
});

test('the second line says how often each size that the answer rests on was stable', () => {
  expect(summary(runStory('flaky')).split('\n')[2]).toBe('  3 stable in 1 of 1 trial, 4 in 1 of 2, 5 in none of 1.');
});

test('an edge over several sizes is told in one sentence more', () => {
  const between = { from: 4, upTo: 6, passed: 3, of: 5 };
  const answer = { outcome: 'found', stable: 3, unstable: 7, edge: { alwaysUpTo: 3, between, neverFrom: 7 } } as const;
  const text = summary(aRun(runStory('found').records, answer)).replace(/\s+/g, ' ');
  expect(text).toContain('Every trial up to 3 was stable, 3 of 5 from 4 to 6, none from 7 on.');
});

test('a search cut short does not claim its limit in the headline, and says why it ended', () => {
  const because = 'The time budget of 45 min has no room for another trial (44 min used).';
  const records = runStory('found').records;
  const answer = { outcome: 'found', stable: 3, unstable: 4, cutShort: true, because } as const;
  const text = summary(aRun(records, answer));
  expect(text.split('\n')[1]).toContain('The limit of embedded 0.1.0 is 3 calls on 4 cores, 3 stable in 3 of 3');
  expect(text).toContain('The time budget of 45 min');
});
