import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Sample } from '../../model/sample.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { runStory, type StoryName } from '../../tests/builders/run-stories.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { compareRuns } from '../compare/compare.js';
import { holdsShare } from '../compare/fail-below.js';
import { comparisonMarkdown, comparisonText } from './comparison.js';
import { reportDocument } from './document.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import { csvCell, csvLinesOf } from './samples-csv.js';
import { shortSummary } from './short-text.js';
import { summary } from './text.js';
import { escapeMarkup } from './xml.js';

const found = () => runStory('found');

test('that nothing was full is said in every form of an answer with a size that failed, and of no other', () => {
  const forms = (name: StoryName) => [summary(runStory(name)), shortSummary(runStory(name)), markdown(runStory(name))];
  for (const text of forms('found')) expect(text).toContain('Nothing that was looked at was full.');
  for (const text of forms('reachedMax')) expect(text).not.toContain('was full.');
  // A program asks whether the list is empty.
  expect(reportDocument(runStory('found'), []).ranOut).toEqual([]);
});

test('JUnit has a case for each limit and size, and one for each verdict; what failed says by how much', () => {
  const xml = junit(found());
  expect(xml.match(/<testsuite /g)).toHaveLength(4);
  expect(xml).toContain(
    'classname="loadline.one-to-one.4 calls" name="video loss after resending, mean ≤ 1 %" time="0.000"><failure',
  );
  expect(xml).toContain('classname="loadline.one-to-one.3 calls" name="verdict"');
  expect(xml).toMatch(/message="unstable in 2 of 2 judged trials"/);
  const [, tests, failures] = /<testsuites [^>]*tests="(\d+)" failures="(\d+)"/.exec(xml) ?? [];
  expect(xml.match(/<testcase /g)).toHaveLength(Number(tests));
  expect(xml.match(/<failure /g)).toHaveLength(Number(failures));
});

test('JUnit skips a size whose trials were all void, and fails one that failed by no limit', () => {
  expect(junit(runStory('probeLimited'))).toMatch(/4 calls" name="verdict" time="95.000"><skipped message="/);
  const refused = calls(2).map((probe) => probe);
  const record = aRecord(refused, { index: 2, size: 2 });
  const reasons = [{ code: 'join-failed' as const, probe: '2b', text: '2b was refused: no "room" & <none>.' }];
  const run = aRun([{ ...record, verdict: { ...record.verdict, kind: 'unstable', reasons } }], {
    outcome: 'found',
    stable: 1,
  });
  expect(junit(run)).toContain('2b was refused: no &quot;room&quot; &amp; &lt;none&gt;.</failure>');
});

test('where the size that was required is held, no case of JUnit fails, and what failed below it is told', () => {
  const size = found().records.find(({ verdict }) => verdict.kind === 'unstable')?.size ?? 0;
  const required = { size, text: '' };
  expect(junit(found(), { ...required, answer: 'no' })).toContain('<failure ');
  const xml = junit(found(), { ...required, answer: 'yes' });
  expect(xml).toMatch(/^<testsuites [^>]*failures="0"/m);
  expect(xml).not.toContain('<failure ');
  expect(xml).toContain('<system-out>unstable in 2 of 2 judged trials');
});

test('no character that XML cannot hold is in what is escaped', () => {
  expect(escapeMarkup('a\u0000b\u001bc\ud800d\u{1f600}e<')).toBe('a\ufffdb\ufffdc\ufffdd\u{1f600}e&lt;');
});

test('Markdown has the classic table, and text that stays text', () => {
  const text = markdown(found());
  expect(text).toContain('| Scenario | Size | Probes | Server | First unstable | Stable in |');
  expect(text).toContain('| one-to-one | 3 calls | 6 | embedded 0.1.0 | 4 | 3 of 3 trials |');
  expect(text).toContain('| 4 | ✗ unstable | 0 of 2 |');
  const manifest = { ...found().manifest, server: { ...found().manifest.server, name: 'embedded | <b>*x*</b>' } };
  expect(markdown({ ...found(), manifest })).toContain('embedded \\| &lt;b>\\*x\\*&lt;/b>');
});

test('Markdown calls a size void where nothing was judged, and not where a pass confirms nothing', () => {
  const run = found();
  const screened = { afterMs: 15_000, because: 'It was clear.' };
  const records = run.records.map((record) => (record.size === 2 ? { ...record, screened } : record));
  expect(markdown({ ...run, records })).toContain('| 2 | ✓ stable, which confirms nothing | – |');
  expect(markdown(runStory('probeLimited'))).toContain('| 4 | ? void | – |');
});

test('the document is the one of find with what a report rests on', () => {
  const document = reportDocument(found(), ['a warning']);
  expect(document).toMatchObject({
    scenario: 'one-to-one',
    limit: { stable: 3, unstable: 4 },
    warnings: ['a warning'],
  });
  expect(document.sizes.map(({ size, stable, judged }) => [size, stable, judged])).toEqual([
    [1, 1, 1],
    [2, 1, 1],
    [3, 3, 3],
    [4, 0, 2],
  ]);
});

test('CSV has one line for each metric that was measured, and says whether its second is in the window', () => {
  const probe = aProbe('1a');
  const record = aRecord([probe], { index: 3, size: 1, seconds: 12 });
  const [sample] = probe.samples(record.window?.startMs ?? 0, 2).slice(-1);
  if (!sample) throw new Error('no sample');
  const lines = csvLinesOf(record)(sample).trimEnd().split('\n');
  const metrics = sample.streams.flatMap(({ metrics: one }) => Object.keys(one)).length;
  expect(lines).toHaveLength(metrics + sample.legs.filter(({ rttMs }) => rttMs !== undefined).length);
  expect(lines.every((line) => line.startsWith('3,1,1a,1,caller,') && line.split(',').length === 16)).toBe(true);
  const odd = csvLinesOf(record)({ ...sample, probe: 'a,"b"' });
  expect(odd).toContain('3,1,"a,""b""",,,');
  const [leg, stream] = [
    { ...sample.legs[0], rttMs: '=1,2' },
    { ...sample.streams[0], metrics: { '=1,2': 3 } },
  ];
  const foreign = { ...sample, legs: [leg], streams: [stream] } as unknown as Sample;
  expect(csvLinesOf(record)(foreign).match(/"'=1,2"/g)).toHaveLength(2);
});

test('no cell of CSV is a formula to a spreadsheet, and a number stays one', () => {
  const formulas = ['=1', '+1', '@a', '\t=1', '-a', "-1+1|' /C calc'!A0"];
  expect(formulas.map(csvCell).filter((cell) => !/^"?'/.test(cell))).toEqual([]);
  expect(['-1', '-1.5', '-2e-7', '1', 'a-b'].map(csvCell)).toEqual(['-1', '-1.5', '-2e-7', '1', 'a-b']);
});

test('CSV has what came of a picture that is not shown, outside of what is judged', () => {
  const probe = aProbe('1a').receivesVideo();
  const record = aRecord([probe], { index: 3, size: 1, seconds: 12 });
  const [sample] = probe.samples(record.window?.startMs ?? 0, 2).slice(-1);
  const stream = sample?.streams.find(({ kind, direction }) => kind === 'video' && direction === 'receive');
  if (!sample || stream?.direction !== 'receive') throw new Error('no sample');
  const inWindow = (one: Sample) =>
    csvLinesOf(record)(one)
      .split('\n')
      .filter((line) => line.includes(',framesDecoded,'))
      .map((line) => line.split(',')[8]);
  expect(inWindow({ ...sample, streams: [stream] })).toEqual(['1']);
  expect(inWindow({ ...sample, streams: [{ ...stream, away: true }] })).toEqual(['0']);
});

test('CSV says of each of several streams on one connection which it is and whose', () => {
  const probe = aProbe('1a').receivesVideoFrom('left').receivesVideoFrom('right');
  const record = aRecord([probe], { index: 3, size: 1, seconds: 12 });
  const [sample] = probe.samples(record.window?.startMs ?? 0, 1);
  if (!sample) throw new Error('no sample');
  const lines = csvLinesOf(record)(sample).trimEnd().split('\n');
  const whose = (line: string) => line.split(',').slice(-2).join('/');
  expect([...new Set(lines.filter((line) => line.includes(',bytesReceived,')).map(whose))]).toEqual([
    'left/left',
    'right/right',
  ]);
});

test('stored runs are compared by what is known of their limits, and what else differs is listed', () => {
  const other = aRun(
    found().records,
    { outcome: 'found', stable: 9, unstable: 10 },
    { name: 'kurento 7.3.0', kind: 'kurento', nature: 'product' },
  );
  const comparison = compareRuns([found(), other]);
  expect(comparison.conclusions).toEqual([
    'kurento 7.3.0 holds 2.25 to 3.34 times as many calls as embedded 0.1.0, by one search each.',
  ]);
  expect(comparison.facts.filter(({ same }) => !same).map(({ label }) => label)).toEqual(['server']);
  expect(comparisonText(comparison)).toContain('server      embedded 0.1.0  |  kurento 7.3.0');
  expect(comparisonMarkdown(comparison)).toContain('| Different |');
});

test('networks, TURN and cheap probes are differences that a comparison names', () => {
  const networks = [
    { name: 'clean', sharePercent: 90, up: {}, down: {}, steps: [] },
    { name: 'poor-3g', sharePercent: 10, up: { delayMs: 175 }, down: { delayMs: 175 }, steps: [] },
  ];
  const plan = {
    ...found().manifest.plan,
    networks,
    turn: { protocol: 'tls' },
    players: { kind: 'encoded', fullShare: 0.1 },
  } as const;
  const { facts } = compareRuns([found(), { ...found(), manifest: { ...found().manifest, plan } }]);
  expect(facts.filter(({ same }) => !same)).toEqual([
    { label: 'networks', values: ['none impaired', '90 % clean, 10 % poor-3g'], same: false },
    { label: 'TURN', values: ['none, direct', 'tls'], same: false },
    { label: 'probes', values: ['full', 'encoded, 10 % full'], same: false },
  ]);
});

test('a limit that also failed makes the interval of a comparison wider by all that it may be', () => {
  const other = aRun(found().records, { outcome: 'found', stable: 9, unstable: 10 }, { name: 'other' });
  const doubtful = { ...found(), answer: { ...found().answer, stable: 4, unstable: 5 } };
  // Of the limit of 4, every trial failed: what is known for sure is the 3 below it.
  expect(compareRuns([doubtful, other]).runs[0]).toMatchObject({ stable: 4, atLeast: 3, below: 5 });
  expect(compareRuns([doubtful, other]).conclusions[0]).toContain(' 1.80 to 3.34 times ');
});

test('what a simulated server is, and what a server was told, are differences that a comparison names', () => {
  const withServer = (server: Record<string, string | number>) => {
    const plan = { ...found().manifest.plan, server: { kind: 'x', ...server } };
    return { ...found(), manifest: { ...found().manifest, plan } } as FinishedRun;
  };
  const { facts } = compareRuns([
    withServer({ capacity: 30, seed: 1 }),
    withServer({ capacity: 30, seed: 2, voidRate: 1 }),
  ]);
  expect(facts.filter(({ same }) => !same)).toEqual([
    { label: 'server asked for: seed', values: ['1', '2'], same: false },
    { label: 'server asked for: voidRate', values: ['–', '1'], same: false },
  ]);
});

test('a later run meets a share of what the first was shown to hold, is below it, or cannot say', () => {
  const of = (answer: Parameters<typeof aRun>[1]) => aRun(found().records, answer);
  const kind = (first: Parameters<typeof aRun>[1], other: Parameters<typeof aRun>[1]) =>
    holdsShare(compareRuns([of(first), of(other)]), 0.9).kind;
  const twenty = { outcome: 'found', stable: 20, unstable: 21 } as const;
  expect(kind(twenty, { outcome: 'found', stable: 18, unstable: 19 })).toBe('met');
  expect(kind(twenty, { outcome: 'found', stable: 17, unstable: 18 })).toBe('below');
  expect(kind(twenty, { outcome: 'baseline-unstable', stable: 0, unstable: 1 })).toBe('below');
  expect(kind(twenty, { outcome: 'reached-max', stable: 18 })).toBe('met');
  expect(kind(twenty, { outcome: 'reached-max', stable: 17 })).toBe('unknown');
  expect(kind(twenty, { outcome: 'probe-limited', stable: 8 })).toBe('unknown');
  expect(kind(twenty, { outcome: 'void', stable: 0 })).toBe('unknown');
  expect(kind({ outcome: 'drifting', stable: 3 }, twenty)).toBe('unknown');
});

test('runs whose limits overlap, void runs and other scenarios are not put in an order', () => {
  const said = (...runs: readonly FinishedRun[]) => compareRuns(runs).conclusions;
  expect(said(found(), runStory('reachedMax'))[0]).toContain(' at least 2.00 times ');
  expect(said(found(), runStory('probeLimited'))[0]).toContain('cannot be told apart');
  expect(said(found(), runStory('nothing'))).toEqual([expect.stringContaining('is void: it says nothing')]);
  const manifest = { ...found().manifest, plan: { ...found().manifest.plan, scenario: 'group' } };
  expect(said(found(), { ...found(), manifest })).toEqual([expect.stringContaining('different scenarios')]);
});
