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
