import { expect, test } from '@playwright/test';
import { aMark, aStory, metric, monitorStartMs } from '../../tests/builders/monitor-builder.js';
import { randomFrom } from '../../tests/random.js';
import { monitorPage } from '../report/monitor-page.js';
import { monitorText, sparkline } from '../report/monitor-text.js';
import { pendingAlerts } from './alerts.js';
import { calendarOf, cellMark } from './calendar.js';
import { trendOf, usualOf } from './robust.js';
import { historiesOf, shareText } from './stability.js';

const ifIndependent = 'at 95 %, if runs are independent';

test('287 of 288 stable runs show at least 97.6 % whenever that is read, never rounded up', () => {
  expect(shareText(287, 288)).toBe(`287 of 288 stable: at least 97.6 % ${ifIndependent}`);
  expect(shareText(288, 288)).toBe(`288 of 288 stable: at least 98.4 % ${ifIndependent}`);
  expect(shareText(0, 12)).toBe(`0 of 12 stable: at most 30.7 % ${ifIndependent}`);
  expect(shareText(0, 0)).toBe('no run with an answer yet');
});

test('the bounds hold for a year of runs, beyond what a double can count', () => {
  expect(shareText(34_990, 35_000)).toBe(`34990 of 35000 stable: at least 99.9 % ${ifIndependent}`);
});

test('of 300 watches that are read after each run, one in twenty at most is ever told more than is so', () => {
  const isEverFalse = (seed: number) => {
    const random = randomFrom(seed);
    let stable = 0;
    for (let runs = 1; runs <= 100; runs += 1) {
      if (random() < 0.9) stable += 1;
      const [, bound, percent] = /(at least|at most) ([\d.]+) %/.exec(shareText(stable, runs)) ?? [];
      if (bound === 'at least' ? Number(percent) > 90 : Number(percent) < 90) return true;
    }
    return false;
  };
  expect(Array.from({ length: 300 }, (_, nth) => nth + 1).filter(isEverFalse).length).toBeLessThanOrEqual(15);
});

test('a watch that was due and never begun stands in the report, beside one that ran', () => {
  const due = [monitorStartMs, monitorStartMs + 3_600_000];
  const missed = { type: 'missed', atMs: due[1] ?? 0, watch: 'nightly', dueAtMs: due, why: 'busy' } as const;
  const histories = historiesOf([...aStory([aMark()]).journal, missed]);
  expect(histories.map(({ watch, runs, missed: count }) => [watch, runs.length, count])).toEqual([
    ['calls', 1, 0],
    ['nightly', 0, 2],
  ]);
  expect(monitorText(histories)).toContain('nightly: no run with an answer yet\n  no run, 2 due and not begun\n');
  expect(monitorPage(histories, '', () => undefined)).toContain('0 runs, 2 due and not begun');
});

test('a run without an answer, whose question nobody knows, takes no trend away', () => {
  const { journal, runs } = aStory(Array.from({ length: 9 }, (_, nth) => aMark({ metrics: metric(20 + nth) })));
  const last = runs.at(-1);
  if (!last) throw new Error('no run');
  const failed = { ...last, question: '', mark: aMark({ verdict: 'failed', metrics: {} }) };
  expect(historiesOf([...journal, failed])[0]?.trends).toEqual(historiesOf(journal)[0]?.trends);
  expect(historiesOf(journal)[0]?.trends).toHaveLength(1);
});

test('the usual value and its deviation are not moved by one odd run', () => {
  expect(usualOf([10, 11, 12, 11, 10, 900])).toMatchObject({ median: 11 });
  expect(usualOf([10, 11, 12, 11, 10, 900])?.deviation).toBeLessThan(2);
});

test('a steady rise is a trend by chance alone in fewer than one of a hundred, a flat line always', () => {
  expect(trendOf([1, 2, 3, 4, 5, 6, 7, 8])?.chance).toBeLessThan(0.01);
  expect(trendOf([5, 5, 5, 5, 5, 5, 5, 5])?.chance).toBe(1);
  expect(trendOf([1, 2, 3])).toBeUndefined();
});

test('noise that keeps a share of itself from run to run is called a trend about as seldom as stated', () => {
  const random = randomFrom(9);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  for (const keeps of [0, 0.3, 0.6, 0.9]) {
    let trends = 0;
    for (let round = 0; round < 150; round += 1) {
      let now = normal();
      const values = Array.from({ length: 100 }, () => {
        now = keeps * now + Math.sqrt(1 - keeps ** 2) * normal();
        return now;
      });
      if ((trendOf(values)?.chance ?? 1) <= 0.01) trends += 1;
    }
    expect([keeps, trends <= (keeps > 0.8 ? 12 : 6)]).toEqual([keeps, true]);
  }
});

test('a rise of one deviation in forty runs is a trend, though each run keeps a third of the noise before it', () => {
  const random = randomFrom(10);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let now = 0;
  const values = Array.from({ length: 120 }, (_, nth) => {
    now = 0.3 * now + Math.sqrt(0.91) * normal();
    return now + nth / 40;
  });
  expect(trendOf(values)?.chance).toBeLessThan(0.001);
  expect(trendOf(values)?.perStep).toBeCloseTo(1 / 40, 2);
});

test('a trend is told from where it began to move: the newest 500 runs, and not those before', () => {
  const high = Array.from({ length: 20 }, () => aMark({ metrics: metric(90) }));
  const rising = Array.from({ length: 500 }, (_, nth) => aMark({ metrics: metric(20 + nth / 10 + (nth % 3)) }));
  const [watch] = historiesOf(aStory([...high, ...rising]).journal);
  const [trend] = watch?.trends ?? [];
  expect([trend?.direction, Math.round(trend?.first ?? 0), trend?.points.length]).toEqual(['rises', 21, 500]);
});

const good = Array.from({ length: 70 }, (_, nth) => aMark({ metrics: metric(20 + (nth % 3)) }));
const bad = aMark({ verdict: 'unstable', reasons: ['<b>4b</b> lost 6 %.'], metrics: metric(20) });
const story = aStory([...good, bad, bad, ...good.slice(0, 5), aMark({ verdict: 'void', reasons: ['out of CPU'] })]);

test('the text says the share, the hours, the alerts and the trends of each watch', () => {
  const text = monitorText(historiesOf(story.journal));
  expect(text).toContain('calls: 75 of 77 stable: at least ');
  expect(text).toContain('78 runs from 2026-11-21 14:00 to 2026-11-21 15:17 UTC, 1 without an answer;\n  now ok');
  expect(text).toContain('    2026-11-21  ..............#x........');
  expect(text).toContain('calls: regressed. 4 calls unstable, twice in a row.');
  expect(text).toMatch(/round trip +\S+ +steady at \d+ ms/);
});

test('the page needs nothing from elsewhere, links each run, and lets no text of a run become markup', () => {
  const page = monitorPage(historiesOf(story.journal), '2026-11-22T00:00', (run) => `../${run}/report.html`);
  expect(page).not.toMatch(/<script|<link|src=|https?:\/\//);
  expect(page).toContain('href="../run-70/report.html"');
  expect(page.match(/class="m [sun]"/g)).toHaveLength(78);
  expect(page).not.toContain('<b>4b</b>');
  expect(page).toContain('75 of 77 stable');
});

test('a calendar has every day between the first run and the last, and a sign for each hour', () => {
  const later = story.runs.map((run, nth) => ({ ...run, startedAtMs: monitorStartMs + nth * 3_600_000 }));
  const days = calendarOf(later);
  expect(days.map(({ date }) => date)).toEqual(['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24']);
  expect(days[0]?.cells.map(cellMark).join('')).toBe(`${'.'.repeat(14)}${'#'.repeat(10)}`);
  expect(days.flatMap(({ cells }) => cells.map(cellMark)).join('')).toContain('#xx#####?');
});

test('a sparkline goes from the lowest to the highest value', () => {
  expect(sparkline([1, 2, 3])).toBe('▁▅█');
  expect(sparkline([2, 2])).toBe('▄▄');
});

test('an alert is pending for a target until it was told, is overtaken, or is a day old', () => {
  const { journal } = aStory([aMark(), bad, bad]);
  const [alert] = pendingAlerts(journal, 'webhook', monitorStartMs);
  expect(alert?.kind).toBe('regressed');
  const told = { type: 'told', atMs: 1, alert: alert?.id ?? '', target: 'webhook' } as const;
  expect(pendingAlerts([...journal, { ...told, ok: false }], 'webhook', monitorStartMs)).toHaveLength(1);
  expect(pendingAlerts([...journal, { ...told, ok: true }], 'webhook', monitorStartMs)).toEqual([]);
  expect(pendingAlerts([...journal, { ...told, ok: true }], 'mail', monitorStartMs)).toHaveLength(1);
  expect(pendingAlerts(journal, 'webhook', monitorStartMs + 48 * 3_600_000)).toEqual([]);
  const { journal: overtaken } = aStory([aMark(), bad, bad, aMark()]);
  expect(pendingAlerts(overtaken, 'webhook', monitorStartMs).map(({ kind }) => kind)).toEqual(['recovered']);
});
