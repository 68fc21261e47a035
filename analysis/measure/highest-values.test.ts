import { expect, test } from '@playwright/test';
import { randomFrom } from '../../tests/random.js';
import { percentile } from '../statistics/statistics.js';
import { HighestValues } from './highest-values.js';

test('the highest values give the percentile of all of them, however many have come of as many as can', () => {
  const random = randomFrom(11);
  const wrong: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const most = 1 + Math.floor(300 * random());
    // Often the same ones again, as clocks of few digits give.
    const values = Array.from({ length: most }, () => Math.round(20 * random()) / (round % 2 === 0 ? 1 : 7));
    const highest = new HighestValues(95, most);
    expect(highest.percentile()).toBeUndefined();
    for (const [index, value] of values.entries()) {
      highest.add(value);
      const all = percentile(values.slice(0, index + 1), 95);
      if (highest.percentile() !== all)
        wrong.push(`${index + 1} of round ${round}: ${highest.percentile()}, not ${all}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('of more values than can come the percentile is known or absent, never wrong', () => {
  const highest = new HighestValues(95, 20);
  const values = Array.from({ length: 200 }, (_, index) => 1000 - index);
  for (const [index, value] of values.entries()) {
    highest.add(value);
    expect([undefined, percentile(values.slice(0, index + 1), 95)]).toContain(highest.percentile());
  }
  expect(highest.percentile()).toBeUndefined();
});

test('ten minutes of a stream keep a twentieth of its values, and some to spare', () => {
  const highest = new HighestValues(95, 1200);
  const random = randomFrom(5);
  for (let second = 0; second < 600; second += 1) highest.add(random());
  expect(JSON.parse(JSON.stringify(highest)).highest.length).toBeLessThanOrEqual(61);
});
