import { expect, test } from '@playwright/test';
import { percentIn, readCount, readPort, readShare } from './values.js';

const faultOf = (read: () => unknown) => {
  try {
    return { value: read() };
  } catch (error) {
    return error as { readonly message: string; readonly todo: string };
  }
};

test('a share is read as percent and as a fraction, and 1 alone is neither', () => {
  const read = ['10%', '0.1', '.1', '12.5 %', '100%', '0.07', '1', '0', '10', '-0.1', '1.5', '0.', 'high'].map(
    percentIn,
  );
  const none = undefined;
  expect(read).toEqual([10, 10, 10, 12.5, 100, 7, none, none, none, none, none, none, none]);
});

test('both notations of a share are the same number, to the last bit', () => {
  const whole = Array.from({ length: 99 }, (_, nth) => nth + 1);
  const apart = whole.filter((percent) => readShare(`${percent}%`, '--x') !== readShare(String(percent / 100), '--x'));
  expect(apart).toEqual([]);
});

test('what a wrong number suggests could have been meant', () => {
  expect(faultOf(() => readPort('abc', '--port'))).toMatchObject({ todo: 'write for example --port 8888' });
  expect(faultOf(() => readPort('70000', '--port'))).toMatchObject({ todo: 'write for example --port 8888' });
  expect(readPort('0', '--port')).toBe(0);
  expect(faultOf(() => readCount('99', '--n', { to: 64 }))).toMatchObject({ todo: 'write for example --n 64' });
  expect(faultOf(() => readCount('-5', '--n'))).toMatchObject({ todo: 'write for example --n 1' });
  expect(faultOf(() => readCount('many', '--n'))).toMatchObject({ todo: 'write for example --n 4' });
});
