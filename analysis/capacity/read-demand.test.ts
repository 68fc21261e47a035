import { expect, test } from '@playwright/test';
import { isByRate, readDemand } from './read-demand.js';

const calls = [{ scenario: 'one-to-one', unit: { one: 'call', many: 'calls' }, participantsPerUnit: 2 }];

test('a number may be written as the answer prints it, with commas between thousands', () => {
  const [plain] = readDemand('10000 calls', calls);
  expect(readDemand('10,000 calls', calls)).toEqual([{ ...plain, asked: '10,000 calls' }]);
  expect(readDemand('1,200,000 calls', calls)).toMatchObject([{ units: 1_200_000 }]);
  for (const wrong of ['1,0 calls', '10,00 calls', ',000 calls'])
    expect(() => readDemand(wrong, calls)).toThrow('demand');
});

test('a point that elsewhere stands between thousands is refused, and both ways to write it are told', () => {
  for (const text of ['10.000 calls', '10.000 calls/h of 4m']) {
    expect(() => readDemand(text, calls)).toThrow(/may be 10,000 or 10/);
    expect(() => isByRate(text)).toThrow(/may be 10,000 or 10/);
  }
  const units = (text: string) => readDemand(text, calls)[0]?.units;
  expect([units('1.5k calls'), units('1.234M calls'), units('2.5 calls')]).toEqual([1500, 1_234_000, 3]);
});

test('participants who come by chance come in sessions, as many of them as participants at once are', () => {
  const fullHouse = { share: 0.01, what: 'turned-away', placement: 'least-loaded' } as const;
  const loadOf = (text: string, known = calls) => readDemand(text, known, fullHouse)[0]?.byChance?.loadErlangs;
  expect(loadOf('6000 participants/h of 4m')).toBe(200);
  expect(loadOf('6000 participants/h of 4m')).toBe(loadOf('3000 calls/h of 4m'));
  const rooms = [{ scenario: 'group', unit: { one: 'room', many: 'rooms' }, participantsPerUnit: 4 }];
  expect(loadOf('6000 participants/h of 4m of group', rooms)).toBe(100);
  const [said] = readDemand('6000 participants/h of 4m', calls, fullHouse);
  expect(said?.because).toContain('3000 calls/h of 2 each, 200 at once on average');
});
