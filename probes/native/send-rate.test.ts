import { expect, test } from '@playwright/test';
import { SendRate } from './send-rate.js';

const kbps = (rate: SendRate): number => Math.round(rate.bps / 1000);

test('it begins low, takes what the server allows at once while nothing is lost, and goes below when less is allowed', () => {
  const rate = new SendRate(Number.POSITIVE_INFINITY);
  expect(kbps(rate)).toBe(300);
  rate.onRemb(500_000, 0);
  expect(kbps(rate)).toBe(500);
  rate.onLoss(0, 20, 1000);
  expect(kbps(rate)).toBe(500);
  rate.onRemb(250_000, 5000);
  expect(kbps(rate)).toBe(250);
  rate.onRemb(500_000, 6000);
  expect(kbps(rate), 'later it grows by 8 % a second').toBe(250);
  rate.onLoss(0.01, 20, 7000);
  expect(kbps(rate)).toBe(271);
});

test('loss of up to 2 % lets it grow, up to 10 % leaves it, and more lowers it by half of the loss', () => {
  const rate = new SendRate(Number.POSITIVE_INFINITY);
  rate.onRemb(500_000, 0);
  rate.onRemb(2_000_000, 100);
  rate.onLoss(0.05, 20, 3000);
  expect(kbps(rate)).toBe(2000);
  rate.onLoss(0.2, 20, 4000);
  expect(kbps(rate)).toBe(1800);
  rate.onLoss(0.2, 20, 4100);
  expect(kbps(rate), 'not before the lower rate can show').toBe(1800);
  rate.onLoss(0.2, 20, 5000);
  expect(kbps(rate)).toBe(1620);
});

test('where arrivals are told it tries half more than has arrived, ends at the ceiling, and keeps below what the way carries', () => {
  const rate = new SendRate(523_000);
  rate.onArrivals(300_000, 0, 1000);
  expect(kbps(rate)).toBe(450);
  rate.onArrivals(450_000, 0, 2000);
  expect(kbps(rate)).toBe(523);
  rate.onArrivals(260_000, 221_000, 9000);
  expect(kbps(rate)).toBe(221);
});

test('while layers want more it tries what the next one takes, until the way shows less', () => {
  const free = new SendRate(1_523_000);
  const narrow = new SendRate(1_523_000);
  for (const rate of [free, narrow]) {
    rate.onLoss(0, 2, 1000);
    rate.onArrivals(130_000, 0, 1300, 400_000);
  }
  expect([kbps(free), kbps(narrow)]).toEqual([400, 400]);
  narrow.onArrivals(300_000, 290_000, 1600, 900_000);
  narrow.onArrivals(290_000, 0, 5000, 900_000);
  expect(kbps(narrow)).toBe(290);
  free.onArrivals(390_000, 0, 4200, 900_000);
  expect(kbps(free)).toBe(900);
  free.onArrivals(880_000, 0, 5000, 0);
  expect(kbps(free), 'all layers are sent').toBe(1320);
});
