import { expect, test } from '@playwright/test';
import { PageDeal } from './seats.js';

const dealt = { residents: 0, atOnce: 10, probesPerPage: 4, pagesPerBrowser: 2, encoded: false };

test('as many pages as those need who are there at a time, however many come in all', () => {
  const deal = new PageDeal(dealt);
  expect(deal.pages).toBe(3);
  expect(deal.browsers).toEqual([{ pages: [0, 1] }, { pages: [2] }]);
});

test('each gets the page on which the fewest are, and a place that was given back is used again', () => {
  const deal = new PageDeal(dealt);
  const pages = Array.from({ length: 6 }, () => deal.take(false).page);
  expect(pages).toEqual([0, 1, 2, 0, 1, 2]);
  deal.give(1);
  expect(deal.take(false)).toEqual({ page: 1, browser: 0 });
  expect(deal.take(false)).toEqual({ page: 0, browser: 0 });
});

test('when more are there than were expected, pages hold more, and nobody waits', () => {
  const deal = new PageDeal({ ...dealt, atOnce: 2 });
  expect(Array.from({ length: 9 }, () => deal.take(false).page)).toEqual(Array.from({ length: 9 }, () => 0));
});

test('who stays has pages of its own, and encoded pages are told so', () => {
  const deal = new PageDeal({ ...dealt, residents: 1, encoded: true });
  expect(deal.firstForComers).toBe(1);
  expect(deal.take(true)).toEqual({ page: 0, browser: 0, encoded: true });
  expect(deal.take(false).page).toBe(1);
  expect(deal.browsers.every(({ encoded }) => encoded === true)).toBe(true);
});
