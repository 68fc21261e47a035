import { expect, test } from '@playwright/test';
import { participantsOf } from '../model/scenario.js';
import { broadcast } from '../scenarios/broadcast.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { fullAmong, layOut, layOutByNetwork, spread } from './layout.js';
import { startSchedule } from './schedule.js';

const countBy = (values: readonly number[]): readonly number[] =>
  [...new Set(values)].map((value) => values.filter((one) => one === value).length);

for (const [participants, perPage, perBrowser] of [
  [1, 4, 4],
  [2, 1, 1],
  [9, 4, 2],
  [64, 4, 4],
  [65, 8, 3],
] as const) {
  test(`${participants} participants at ${perPage} a page and ${perBrowser} pages a browser fit and are spread evenly`, () => {
    const { pages, browsers, places } = layOut(participants, { probesPerPage: perPage, pagesPerBrowser: perBrowser });
    expect(places).toHaveLength(participants);
    expect(pages).toBe(Math.ceil(participants / perPage));
    const perPageGot = countBy(places.map(({ page }) => page));
    expect(perPageGot).toHaveLength(pages);
    expect(Math.max(...perPageGot)).toBeLessThanOrEqual(perPage);
    expect(Math.max(...perPageGot) - Math.min(...perPageGot)).toBeLessThanOrEqual(1);
    for (const { page, browser } of places) expect(browser).toBe(Math.floor(page / perBrowser));
    expect(browsers).toBe(Math.max(...places.map(({ browser }) => browser)) + 1);
  });
}

test('the two ends of a call are in different pages when there are several', () => {
  const { places } = layOut(16, { probesPerPage: 4, pagesPerBrowser: 4 });
  for (let call = 0; call < 8; call += 1) {
    expect(places[2 * call]?.page).not.toBe(places[2 * call + 1]?.page);
  }
});

test('starts keep the pace, and a caller waits for the callee it receives from', () => {
  const schedule = startSchedule(participantsOf(oneToOne.sessions(2)), 2);
  expect(schedule).toEqual([
    { startMs: 0, sourcesMs: 500 },
    { startMs: 500, sourcesMs: 0 },
    { startMs: 1000, sourcesMs: 500 },
    { startMs: 1500, sourcesMs: 0 },
  ]);
});

test('viewers wait for nobody: their presenter is there first', () => {
  const schedule = startSchedule(participantsOf(broadcast.sessions(3)), 1);
  expect(schedule.map(({ sourcesMs }) => sourcesMs)).toEqual([0, 0, 0, 0]);
});

test('in a mix one other member is enough to wait for', () => {
  const leg = { sends: [], receives: ['audio'], from: { mix: true } } as const;
  const members = ['a', 'b', 'c'].map((id) => ({ id, session: '1', role: 'member', legs: [{ ...leg, id }] }));
  expect(startSchedule(members, 1).map(({ sourcesMs }) => sourcesMs)).toEqual([1000, 0, 0]);
});

test('full and encoded probes live in browsers of their own, and a share of full ones is spread evenly', () => {
  const isFull = spread(20, 0.1);
  const indexes = Array.from({ length: 20 }, (_, index) => index);
  expect(indexes.filter(isFull)).toEqual([0, 10]);
  const { pages, browsers, places } = layOutByNetwork(
    indexes.map((index) => ({ encoded: !isFull(index) })),
    { probesPerPage: 8, pagesPerBrowser: 2 },
  );
  expect(browsers).toEqual([{ pages: [0] }, { encoded: true, pages: [1, 2] }, { encoded: true, pages: [3] }]);
  expect(pages).toBe(4);
  places.forEach(({ page, browser, encoded }, index) => {
    expect(browsers[browser]?.pages).toContain(page);
    expect(encoded === true).toBe(!isFull(index));
  });
});

test('a share of full probes is rounded up: there is always one to compare with', () => {
  const fulls = (participants: number, share: number) =>
    Array.from({ length: participants }, (_, index) => index).filter(spread(participants, share)).length;
  expect([fulls(2, 0.1), fulls(11, 0.1), fulls(10, 0), fulls(7, 1)]).toEqual([1, 2, 0, 7]);
});

test('the full ones of a broadcast are viewers first, and all are full at a share of 1', () => {
  const participants = participantsOf(broadcast.sessions(18));
  const receives = (id: string) => participants.some((one) => one.id === id && !one.presents);
  const few = [...fullAmong(participants, 0.05)];
  expect(few).toHaveLength(1);
  expect(few.every(receives)).toBe(true);
  expect(fullAmong(participants, 1).size).toBe(participants.length);
  expect(fullAmong(participants, 0).size).toBe(0);
});
