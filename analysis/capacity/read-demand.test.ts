import { expect, test } from '@playwright/test';
import { readDemand } from './read-demand.js';

const calls = [{ scenario: 'one-to-one', unit: { one: 'call', many: 'calls' }, participantsPerUnit: 2 }];

test('a number may be written as the answer prints it, with commas between thousands', () => {
  const [plain] = readDemand('10000 calls', calls);
  expect(readDemand('10,000 calls', calls)).toEqual([{ ...plain, asked: '10,000 calls' }]);
  expect(readDemand('1,200,000 calls', calls)).toMatchObject([{ units: 1_200_000 }]);
  for (const wrong of ['1,0 calls', '10,00 calls', ',000 calls'])
    expect(() => readDemand(wrong, calls)).toThrow('demand');
});
