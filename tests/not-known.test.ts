import { expect, test } from '@playwright/test';
import { markOfRun } from '../analysis/monitor/mark-of-run.js';
import { junit } from '../analysis/report/junit.js';
import { plainStyle } from '../analysis/report/layout.js';
import { betweenTrialsSection } from '../analysis/report/repeats-section.js';
import { runResult } from '../analysis/search/result.js';
import type { ThresholdResult } from '../model/verdict.js';
import { bySizeSection } from '../report/sections/by-size.js';
import { trialPoints } from '../store/points/trial-points.js';
import { aRun } from './builders/run-builder.js';
import { aRecord } from './stored-run.js';

const row: ThresholdResult = {
  id: { of: 'stream', aggregate: 'lossPercent', kind: 'video', direction: 'receive', comparison: 'at-most' },
  ...{ code: 'video-loss', label: 'video loss, mean', limitText: '≤ 1 %', unit: '%', limit: 1 },
  ...{ comparison: 'at-most', worst: 0, upTo: 5, passed: true },
};
const verdict = { kind: 'stable' as const, reasons: [], thresholds: [row] };
const run = aRun(
  [1, 2].map((index) => aRecord(index, { size: 4, verdict })),
  { outcome: 'reached-max', stable: 4 },
);

test('loss that may be up to 5 % is 0 % in no chart, no table, no point and no usual value', () => {
  const page = bySizeSection(run).text;
  expect(page).toContain('4: not known, 0 to 5');
  expect(page).toContain('<td>not known, 0 to 5</td>');
  expect(page).not.toContain('calls: 0 %, stable');
  expect(betweenTrialsSection(run, 4, plainStyle).join()).toMatch(/video loss, mean, % +– +– +–/);
  const [point] = run.records.flatMap((record) => trialPoints({}, record)).filter(({ tags }) => tags.code === row.code);
  expect([point?.fields.worst, point?.fields.upTo]).toEqual([undefined, 5]);
  expect(markOfRun({ ...run, result: runResult(run) }, true, false).metrics).not.toHaveProperty([row.label]);
  expect(junit(run)).toContain('<system-out>not known, 0 to 5 %</system-out>');
});

test('between trials of which one does not say a value, none of the others is told for the highest', () => {
  const { upTo: _, ...known } = row;
  const trials = [0.2, 0.4, null].map((worst, nth) =>
    aRecord(nth + 1, {
      size: 4,
      verdict: {
        ...verdict,
        kind: worst === null ? 'unstable' : 'stable',
        thresholds: [{ ...known, worst, passed: worst !== null }],
      },
    }),
  );
  const tableOf = (records: typeof trials) =>
    betweenTrialsSection(aRun(records, { outcome: 'found', stable: 4 }), 4, plainStyle).join();
  expect(tableOf(trials)).toMatch(/video loss, mean, % +– +– +–/);
  expect(tableOf(trials.slice(0, 2))).toMatch(/video loss, mean, % +0\.2 +0\.3 +0\.4/);
});
