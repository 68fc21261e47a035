import { expect, test } from '@playwright/test';
import type { RunMark } from '../../model/monitor.js';
import { aMark, aStory, metric, minuteMs } from '../../tests/builders/monitor-builder.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { randomFrom } from '../../tests/random.js';
import { monitorPage } from '../report/monitor-page.js';
import { monitorText } from '../report/monitor-text.js';
import { runResult } from '../search/result.js';
import { markOfRun } from './mark-of-run.js';
import { historiesOf } from './stability.js';

const many = (count: number, mark: (nth: number) => RunMark) => Array.from({ length: count }, (_, nth) => mark(nth));
const unstable = () => aMark({ verdict: 'unstable', reasons: ['4b lost 6 % of the received video (limit 1 %).'] });
const found = (stable: number, unstableAt: number | null) =>
  aMark({ size: stable, limit: { stable, unstable: unstableAt }, reasons: ['9a froze for 12 % of the time.'] });
const lastOf = (marks: readonly RunMark[]) => aStory(marks).runs.at(-1);

test('two unstable runs in a row are told once, with what was noticed and how it was before', () => {
  const { told, runs } = aStory([...many(19, () => aMark()), ...many(5, unstable)]);
  expect(told).toEqual(['regressed']);
  const text = runs[20]?.findings[0]?.text ?? '';
  expect(text).toContain('4 calls unstable, twice in a row.');
  expect(text).toContain('4b lost 6 %');
  expect(text).toContain('Of the 19 runs before, 19 were stable.');
  expect(text).not.toContain('changed from');
});

test('one unstable run alarms nobody: it is to be run again, and when that is good, nothing was', () => {
  const { told, runs } = aStory([...many(5, () => aMark()), unstable(), aMark(), unstable(), aMark()]);
  expect(told).toEqual([]);
  expect(runs[5]).toMatchObject({ level: 'ok', findings: [{ unconfirmed: true, level: 'ok' }] });
  expect(runs[5]?.findings[0]?.text).toMatch(/^Looked worse, and is run again at once: 4 calls unstable\. 4b lost/);
  expect(runs[6]).toMatchObject({ level: 'ok', findings: [] });
});

test('a void run does not confirm what looked worse, and the next one that has an answer does', () => {
  const { told, runs } = aStory([aMark(), unstable(), aMark({ verdict: 'void' }), unstable()]);
  expect(runs.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'regressed']);
  expect(told).toEqual(['regressed']);
});

test('the change that came with a regression is named', () => {
  const after = { ...unstable(), surroundings: { server: 'kurento 7.4.0' } };
  const text = lastOf([aMark(), after, after])?.findings[0]?.text;
  expect(text).toContain('the server changed from kurento 7.3.0 to kurento 7.4.0');
});

test('good again is told once, and a long regression is told again as a reminder', () => {
  const marks = [aMark(), ...many(25, unstable), aMark(), aMark()];
  expect(aStory(marks, { remindMs: 10 * minuteMs }).told).toEqual(['regressed', 'reminder', 'reminder', 'recovered']);
});

test('good news of a limit is told without what failed above it', () => {
  const { journal } = aStory([found(18, 19), found(9, 10), found(9, 10), found(18, 19)]);
  const texts = journal.flatMap((entry) => (entry.type === 'alert' ? [entry.text] : []));
  expect(texts).toEqual([expect.stringContaining('9a froze'), 'calls: good again (was regressed). 18 calls stable.']);
});

test('a void run moves nothing; three in a row, or two that failed, leave the monitor blind', () => {
  const lost = aMark({ verdict: 'void', reasons: ['The probe host was out of CPU.'] });
  const failed = aMark({ verdict: 'failed', reasons: ['E_SERVER_UNREACHABLE: no answer.'] });
  expect(aStory([aMark(), lost, aMark(), lost, lost, aMark()]).told).toEqual([]);
  const { told, runs } = aStory([aMark(), lost, failed, failed, failed, aMark()]);
  expect(told).toEqual(['blind', 'recovered']);
  expect(runs[2]?.findings[0]).toMatchObject({ level: 'ok', unconfirmed: true });
  expect(runs[3]?.findings[0]?.text).toContain('3 runs in a row gave no answer');
  expect(runs[3]?.findings[0]?.text).toContain('E_SERVER_UNREACHABLE');
});

test('a void run in a regression does not make it good', () => {
  const { runs, told } = aStory([aMark(), unstable(), unstable(), aMark({ verdict: 'void' }), unstable()]);
  expect(runs.map(({ level }) => level)).toEqual(['ok', 'ok', 'regressed', 'regressed', 'regressed']);
  expect(told).toEqual(['regressed']);
});

test('a limit that moves within its interval is none, one that falls below it is, one that rises is noted', () => {
  const usual = many(10, (nth) => found(nth % 2 === 0 ? 18 : 19, nth % 2 === 0 ? 19 : 20));
  expect(lastOf([...usual, found(18, 19)])?.findings).toEqual([]);
  expect(lastOf([...usual, found(9, 10)])).toMatchObject({ level: 'ok', findings: [{ unconfirmed: true }] });
  const one = lastOf([found(18, 19), found(9, 10), found(9, 10)])?.findings[0]?.text;
  expect(one).toContain('in the last good run it was 18.');
  const fell = lastOf([...usual, found(9, 10), found(9, 10)]);
  expect(fell).toMatchObject({ level: 'regressed', findings: [{ kind: 'limit' }] });
  expect(fell?.findings[0]?.text).toContain('The limit fell: now 9 stable, 10 not (calls); in the last 10 good runs');
  expect(fell?.findings[0]?.text).toContain('9a froze');
  expect(lastOf([...usual, found(40, 41)])).toMatchObject({ level: 'ok', findings: [{ kind: 'limit' }] });
});

test('a limit below what its plan requires is told as that: the size that held is not called unstable', () => {
  const story = runStory('found');
  const run = { ...story, result: runResult(story) };
  const short = markOfRun(run, true, true);
  expect(short).toMatchObject({ verdict: 'stable', belowRequired: true });
  expect(markOfRun(run, true, false)).not.toHaveProperty('belowRequired');
  const { told, runs, journal } = aStory([found(60, 61), short, short, short, found(60, 61)]);
  expect(told).toEqual(['regressed', 'recovered']);
  expect(runs[2]?.findings[0]?.kind).toBe('require');
  const text = `The limit of ${short.size} ${short.unit} is below what the plan requires (require), twice in a row.`;
  expect(runs[2]?.findings[0]?.text).toContain(text);
  expect(JSON.stringify(runs[2]?.findings)).not.toContain('unstable');
  const histories = historiesOf(journal);
  expect(histories[0]).toMatchObject({ stable: 2, answered: 5 });
  expect(monitorText(histories)).toContain('2 of 5 stable');
  expect(monitorText(histories).replace(/\s+/g, ' ')).toContain('3 with a limit below the one required');
  expect(monitorPage(histories, '', () => undefined)).toContain('stable, below the limit required');
});

test('a limit that fell is told beside runs of its own time of day alone', () => {
  const marks = Array.from({ length: 24 * 10 }, (_, nth) => (nth % 24 === 0 ? found(18, 19) : found(40, 41)));
  const text = aStory([...marks, found(9, 10), found(9, 10)], { everyMs: 60 * minuteMs }).runs.at(-1)?.findings[0]
    ?.text;
  expect(text).toMatch(/in the last \d+ good runs at this time of day \(± \d h\) it was/);
});

test('a run that confirms another kind of finding is not said to be the second of its own', () => {
  const short = { ...found(40, 41), belowRequired: true as const };
  const text = lastOf([found(60, 61), short, aMark({ verdict: 'unstable' })])?.findings[0]?.text;
  expect(text).toBe('4 calls unstable. Of the 1 run before, 1 was stable.');
});

test('a metric that moved for the worse and stays there is a drift; one odd run, or a move for the better, is none', () => {
  const usual = many(12, (nth) => aMark({ metrics: metric(20 + (nth % 3)) }));
  const at = (value: number) => aMark({ metrics: metric(value) });
  expect(lastOf([...usual, at(90)])?.findings).toEqual([]);
  expect(lastOf([...usual, at(90), at(21), at(90)])?.findings).toEqual([]);
  expect(lastOf([...usual, at(2), at(2), at(2)])?.findings).toEqual([]);
  const drifted = lastOf([...usual, at(88), at(91), at(90)]);
  expect(drifted).toMatchObject({ level: 'warning', findings: [{ kind: 'drift', metric: 'round trip' }] });
  expect(drifted?.findings[0]?.text).toBe(
    'Round trip drifts: 90 ms in the middle of the last 3 runs, usual is 21 ms ± 1.48 ms ' +
      '(median and deviation of 12 good runs at all times of day), its limit is 300 ms.',
  );
});

test('a drift that lasts stays one: it never becomes what is usual', () => {
  const usual = many(20, (nth) => aMark({ metrics: metric(20 + (nth % 3)) }));
  const { told, runs } = aStory([...usual, ...many(60, () => aMark({ metrics: metric(90) }))]);
  expect(told).toEqual(['warning']);
  expect(runs.at(-1)?.level).toBe('warning');
});

/** A run every quarter of an hour, for so many days; a day cycle of 30 % with noise of 3 %. */
function cycles(days: number, changed: (nth: number) => number = () => 1) {
  const random = randomFrom(6);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const { limit: _, ...cpu } = metric(0)['round trip'] ?? { value: 0, unit: 'ms', worse: 'higher' };
  const value = (nth: number) => (1 + 0.3 * Math.sin((2 * Math.PI * nth) / 96)) * (1 + 0.03 * normal()) * changed(nth);
  return aStory(
    many(96 * days, (nth) => aMark({ metrics: { 'server CPU': { ...cpu, value: value(nth) } } })),
    { everyMs: 15 * minuteMs },
  );
}

test('a load that follows the day is usual at its time of day, from the third day on', () => {
  const { runs } = cycles(8);
  expect(runs.slice(2 * 96).filter(({ findings }) => findings.length > 0).length).toBeLessThanOrEqual(1);
});

test('a change for the worse is found at any time of day, and said with what it was compared with', () => {
  const { runs, told } = cycles(6, (nth) => (nth >= 4 * 96 + 50 ? 1.4 : 1));
  expect(told).toContain('warning');
  const text = runs[4 * 96 + 60]?.findings[0]?.text;
  expect(text).toMatch(/of \d+ good runs at this time of day \(± 1 h\)\)/);
});

test('noise without a change is called a drift in fewer than one of a thousand runs', () => {
  const random = randomFrom(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const { runs } = aStory(many(1500, () => aMark({ metrics: metric(60 + 8 * normal()) })));
  expect(runs.filter(({ findings }) => findings.length > 0).length).toBeLessThan(2);
});

test('server memory that grows from run to run is a warning; memory that goes up and down is none', () => {
  const grows = lastOf(many(15, (nth) => aMark({ serverMemoryMb: 100 + 3 * nth + (nth % 2) })));
  expect(grows).toMatchObject({ level: 'warning', findings: [{ kind: 'memory' }] });
  expect(grows?.findings[0]?.text).toContain('MB over 15 runs');
  expect(lastOf(many(15, (nth) => aMark({ serverMemoryMb: 100 + 10 * (nth % 4) })))?.findings).toEqual([]);
});

test('a run that asks something else is not compared with those before it', () => {
  const before = aStory(many(10, () => found(18, 19))).runs.map((run) => ({ ...run, question: 'another' }));
  expect(before).toHaveLength(10);
  const { runs } = aStory([found(9, 10)]);
  expect(runs[0]?.findings).toEqual([]);
});
