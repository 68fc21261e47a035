import { expect, test } from '@playwright/test';
import { compareRuns } from '../../analysis/compare/compare.js';
import { arrivalsSentences } from '../../analysis/report/arrivals-section.js';
import { summary } from '../../analysis/report/text.js';
import { whoCome } from '../../model/arrivals.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Answer, Manifest } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { buildReport } from '../../report/build-report.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { findLimit } from '../../trial/find-limit.js';
import type { QueueOptions } from './queue-server.js';
import { aPlanByArrivals, byArrivals, queuedParts } from './queued-trial.js';

/** A search by arrivals on a server that queues, as it would be stored. */
async function foundBy(queue: QueueOptions): Promise<FinishedRun> {
  const plan = aPlanByArrivals(
    { measureMs: 10_000, arrivals: { holdMs: 1000 } },
    { from: 10, max: 11, confirm: 1, refute: 1 },
  );
  const scenario = byArrivals(oneToOne, plan.load, plan.timing.measureMs);
  const { parts } = queuedParts({ queue });
  const records: TrialRecord[] = [];
  const opened: Manifest[] = [];
  const answers: Answer[] = [];
  const sink = {
    description: 'memory',
    open: async (manifest: Manifest) => void opened.push(manifest),
    writeSamples: () => undefined,
    writeTrial: async (record: TrialRecord) => void records.push(record),
    writeAnswer: async (answer: Answer) => void answers.push(answer),
    close: async () => undefined,
  };
  await findLimit({ plan, scenario }, { ...parts, sinks: [sink] }, new AbortController().signal);
  const [[manifest], [answer]] = [opened, answers];
  if (!manifest || !answer) throw new Error('the run has no answer');
  return { manifest, records, answer, runDirectory: 'runs/one' };
}

const htmlOf = async (run: FinishedRun) => {
  const source = {
    visitSamples: async () => undefined,
    readEvidence: async () => ({ value: { probeHost: [], server: [] } }),
  };
  return (await buildReport({ run, warnings: [], source, assets: { script: '', style: '' } })).join('');
};

test('who come is what the unit says, and what the label of an older run says', async () => {
  const { manifest } = await foundBy({ serviceMs: () => 50 });
  expect(manifest.unit).toMatchObject({ many: 'calls begun per second', whoCome: 'calls' });
  expect(whoCome({ one: '', many: 'joins per second', whoCome: 'viewers' })).toBe('viewers');
  expect(whoCome({ one: '', many: 'viewers begun per 10 s' })).toBe('viewers');
});

test('a step that nobody came to in a trial has no time there, and not zero', async () => {
  const run = await foundBy({ serviceMs: () => 50 });
  const [first, ...rest] = run.records;
  if (!first?.arrivals) throw new Error('no arrivals');
  const { candidates: _, ...steps } = first.arrivals.steps;
  const html = await htmlOf({ ...run, records: [{ ...first, arrivals: { ...first.arrivals, steps } }, ...rest] });
  const [, row = ''] = /Mean time of each step by trial[\s\S]*?<tbody>([\s\S]*?)<\/tr>/.exec(html) ?? [];
  expect(row.match(/<td>–<\/td>/g)).toHaveLength(1);
});

test('the summary says who came, how long they took and where, and that nobody saw any media', async () => {
  const text = summary(await foundBy({ serviceMs: () => 50 }));
  const words = text.replace(/\s+/g, ' ');

  expect(words).toContain('holds 10 calls begun per second (20 participants per second, ');
  expect(words).toContain('Who came at 10 calls begun per second');
  expect(words).toContain('Participants per second: 20 due, 20 begun, 20 answered, none failed.');
  expect(words).toMatch(/There at a time: [\d.]+ calls in the mean/);
  expect(words).toContain('offer answered');
  expect(words).toContain(
    'Measured: 10 per second came evenly, each to stay 1 s, and 0 % of the participants were refused.',
  );
  expect(words).toContain('Erlang B, not measured');
  expect(words).not.toContain('probe-minutes');
  expect(words).toContain('sent no media');
  expect(words).not.toContain('No samples were taken');
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('a summary says of a server that refuses that it sheds load, and of one that is silent that it stalls', async () => {
  const shedding = summary(await foundBy({ serviceMs: () => 50, refusesBeyond: 3 })).replace(/\s+/g, ' ');
  expect(shedding).toContain('refused: the server sheds load');
  expect(shedding).not.toContain('stalls');
});

test('rates are of the window as long as it is, and one in five minutes is not none', async () => {
  const run = await foundBy({ serviceMs: () => 50 });
  const [first] = run.records;
  if (!first?.arrivals || !first.window) throw new Error('no arrivals');
  const { startMs } = first.window;
  const rates = (ms: number, changes: Partial<NonNullable<TrialRecord['arrivals']>>) => {
    const seconds = Array.from({ length: Math.ceil(ms / 1000) }, () => first.arrivals?.seconds[0]);
    const arrivals = { ...first.arrivals, seconds, ...changes } as NonNullable<TrialRecord['arrivals']>;
    const records = [{ ...first, window: { startMs, endMs: startMs + ms }, arrivals }];
    return arrivalsSentences({ ...run, records }, first.size)[0];
  };
  expect(rates(10_500, { due: 168 })).toContain('16 due');
  expect(rates(300_000, { refused: 1 })).toContain('0.0033 refused: the server sheds load');
});

test('the HTML report has the steps of each trial, a heat map at the edge, and every second, and loads nothing', async () => {
  const run = await foundBy({ serviceMs: () => 50 });
  const html = await htmlOf(run);

  expect(html.match(/class="stack"/g)).toHaveLength(run.records.length);
  expect(html.match(/class="heat"/g)).toHaveLength(2);
  expect(html).toContain('second by second');
  expect(/\b(?:src|href)=(?!"#|"data:)|url\(|@import|https?:/i.exec(html)?.[0]).toBeUndefined();
});

test('limits by arrivals and limits by sessions count different things, and are not compared', async () => {
  const run = await foundBy({ serviceMs: () => 50 });
  const plan = { ...run.manifest.plan, load: { by: 'sessions' as const } };
  const bySessions = { ...run, manifest: { ...run.manifest, plan } };
  const different = ['The runs are of different scenarios: their limits count different things.'];
  expect(compareRuns([run, bySessions]).conclusions).toEqual(different);
  // So is what comes beside the even load, and what of each participant is joined.
  const { load, players } = run.manifest.plan;
  const others = [
    { load: { ...load, storm: 20 } },
    { load: { ...load, reconnect: true } },
    { players: { ...players, legs: 'sending' } },
  ];
  for (const more of others) {
    const other = { ...run, manifest: { ...run.manifest, plan: { ...run.manifest.plan, ...more } } } as typeof run;
    expect(compareRuns([run, other]).conclusions).toEqual(different);
  }
});
