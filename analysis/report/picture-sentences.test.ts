import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { worstThresholds } from '../judge/summary.js';
import { countedText, worstText } from '../wording/quantity.js';
import { freezeSentences, pictureSentences } from './picture-sentences.js';

/** A trial of one call for 10 s, each of whose two viewers stands still once for so long. */
const trialOf = (index: number, freezeMs: number) => {
  const freezing = ({ id }: { readonly id: string }) =>
    aProbe(id).receivesVideo({ freezeMs: (second) => (second === 3 ? freezeMs : 0) });
  return aRecord(calls(1).map(freezing), { index, size: 1, seconds: 10 });
};
const runOf = (...freezes: readonly number[]) =>
  aRun(
    freezes.map((ms, index) => trialOf(index + 1, ms)),
    { outcome: 'found', stable: 1 },
  );

test('a limit whose every repeat has its one freeze is warned of, and one of which a single repeat has it is not', () => {
  const run = runOf(1190, 1190, 1190);
  expect(run.records.map(({ verdict }) => verdict.kind)).toEqual(['stable', 'stable', 'stable']);
  expect(freezeSentences(run)).toEqual([
    'Warning: at 1 call received video stood still 11.9 % of the time over 3 trials, above the limit of 2 %. Each trial passed, because one freeze in a window under a minute may be chance; together they are more than chance explains. --measure 60s excuses none.',
  ]);
  expect(freezeSentences(runOf(1190, 0, 0))).toEqual([]);
  expect(freezeSentences(runOf(0, 0, 0))).toEqual([]);
});

test('the row shows the whole share, and what it was counted as below it', () => {
  const [row] = worstThresholds(runOf(1190).records).filter(({ code }) => code === 'frozen');
  expect(row && worstText(row)).toBe('11.9 %');
  expect(row && countedText(row)).toBe('counted as 1.98 %: one freeze in a window under a minute may be chance');
});

test('the slowest of the streams of several trials is told as that, and not as one of so many at once', () => {
  const late = (index: number) => {
    const record = aRecord(calls(1), { index, size: 1, seconds: 10 });
    const streams = record.streams.map((stream) => ({
      ...stream,
      values: stream.kind === 'video' ? { ...stream.values, delayMs: 40, delayP95Ms: 60 } : stream.values,
    }));
    return { ...record, streams };
  };
  const said = (...indexes: readonly number[]) =>
    pictureSentences(aRun(indexes.map(late), { outcome: 'found', stable: 1 })).join(' ');
  expect(said(1)).toContain('the slowest of 2.');
  expect(said(1, 2, 3)).toContain('the slowest of 6 in 3 trials.');
  expect(said(1)).not.toContain('right person');
});

test('what drawn marks show is told: how late pictures were seen, and of whom', () => {
  const record = aRecord(calls(1), { index: 1, size: 1, seconds: 10 });
  const streams = record.streams.map((stream) => ({
    ...stream,
    values: stream.kind === 'video' ? { shownMs: 40, shownP95Ms: 60, foreignPercent: 0 } : stream.values,
  }));
  const run = aRun([{ ...record, streams }], { outcome: 'found', stable: 1 });
  expect(pictureSentences(run)).toEqual([
    'From when a picture was taken until it was shown, one way: at 1 call 40 ms in the median, and p95 60 ms at 1a, the slowest of 2.',
    'By the marks of senders: everybody saw the right person.',
  ]);
});
