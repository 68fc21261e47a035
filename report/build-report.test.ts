import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { compareRuns } from '../analysis/compare/compare.js';
import type { FinishedRun } from '../model/finished-run.js';
import { runStory, storyNames } from '../tests/builders/run-stories.js';
import { buildReport } from './build-report.js';
import type { TrialSource } from './data/trial-data.js';

const source: TrialSource = {
  visitSamples: async () => undefined,
  readEvidence: async () => ({ value: { probeHost: [], server: [] } }),
};
const assets = { script: 'const a = "</script><!--";', style: 'body{}' };

const reportOf = async (run: FinishedRun, warnings: readonly string[] = []) =>
  (await buildReport({ run, warnings, source, assets })).join('');

const elsewhere = /\b(?:src|href)=(?!"#|"data:)|url\(|@import|https?:/i;

for (const story of storyNames) {
  test(`the report of "${story}" has its answer as heading, every trial, and names nothing to load`, async () => {
    const run = runStory(story);
    const text = await reportOf(run);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    for (const { index } of run.records) expect(text).toContain(`id="trial-data-${index}"`);
    expect(elsewhere.exec(text)?.[0]).toBeUndefined();
    expect(text).toContain('How far to trust this');
    expect(text).toContain('Environment and plan');
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const linked = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(linked.filter((id) => !ids.has(id))).toEqual([]);
    expect(linked).toContain('h-trust');
  });
}

test('beside the run before stands what compare says of the two, with the way to its report', async () => {
  const run = runStory('found');
  const earlier = { ...run, records: [], answer: { ...run.answer, stable: 1, unstable: 2 } };
  const input = { run, warnings: [], source, assets };
  const text = (await buildReport({ ...input, before: { run: earlier, href: '../earlier/report.html' } })).join('');
  expect(text).toContain('<a href="../earlier/report.html">the run before, ');
  expect(text).toContain(`It held 1 ${run.manifest.unit?.many} (2 unstable), this run ${run.answer.stable} `);
  expect(compareRuns([earlier, run]).conclusions).toEqual([expect.stringMatching(/ times as many | told apart/)]);
  expect(text).toMatch(/This run holds [\d.]+ to [\d.]+ times as many \w+ as the run before, by one search each\./);
  expect(await reportOf(run)).not.toContain('the run before');
});

test('the order is that of the terminal: answer, what ran out, limits, trust; each limit leads to what it means', async () => {
  const text = await reportOf(runStory('found'));
  const places = ['<h1>', 'id="h-staircase"', 'id="h-limits"', 'id="h-trust"', 'id="h-by-size"', 'id="h-definitions"'];
  expect(places.map((part) => text.indexOf(part))).toEqual(
    places.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
  );
  expect(text).toContain('title="share of the time in which the picture stood still">time frozen</a>');
});

test('a limit that failed because nothing could be measured is drawn at the edge, and not left out', async () => {
  const run = runStory('found');
  const records = run.records.map((record) => {
    const thresholds = record.verdict.thresholds.map((one) => ({ ...one, worst: null, passed: false }));
    return { ...record, streams: [], verdict: { ...record.verdict, kind: 'unstable' as const, thresholds } };
  });
  const text = await reportOf({ ...run, records });
  expect(text).toContain('not measured, which is a failure');
  expect(text).toContain('✗ not measured');
  expect(await reportOf(run)).not.toContain('not measured, which is a failure');
});

test('only the script of the report itself may run: the policy holds its digest', async () => {
  const text = await reportOf(runStory('found'));
  const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
  const digest = createHash('sha256').update(script).digest('base64');
  expect(text).toContain(`script-src &#39;sha256-${digest}&#39;`);
  expect(text).toContain('default-src &#39;none&#39;');
  expect(script).not.toContain('</script');
});

test('whatever a server, a participant or a reason is called, it is text', async () => {
  const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'';
  const run = runStory('found');
  const spoiled = JSON.parse(
    JSON.stringify(run)
      .replaceAll('4b', JSON.stringify(evil).slice(1, -1))
      .replaceAll('embedded 0.1.0', JSON.stringify(evil).slice(1, -1)),
  ) as FinishedRun;
  const text = await reportOf(spoiled, [evil]);
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<img src=x');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('a run over impaired links says what the links did and what came on top of it', async () => {
  const run = runStory('found');
  const slow = { delayMs: 20 };
  const networks = [{ name: 'slow', sharePercent: 100, up: slow, down: slow, steps: [] }];
  const facts = { means: 'netem', why: 'kernel 6.1 has netem' } as const;
  const manifest = { ...run.manifest, plan: { ...run.manifest.plan, networks }, networks: facts };
  const text = await reportOf({ ...run, manifest });
  expect(text).toContain('The network, and what came on top of it');
  expect(text).toContain('Shaped by netem: kernel 6.1 has netem.');
  expect(await reportOf(run)).not.toContain('The network, and');
});

test('a run without one trial is a report all the same', async () => {
  const run = runStory('nothing');
  const text = await reportOf({ ...run, records: [] }, ['trials.jsonl is torn after line 0; that trial is left out.']);
  expect(text).toContain('Warning: trials.jsonl is torn after line 0');
  expect(text).not.toContain('trial-data-');
});
