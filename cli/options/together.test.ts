import { expect, test } from '@playwright/test';
import { once } from '../../host/once.js';
import { LoadlineError } from '../../model/errors.js';
import { readTogether } from './together.js';

const wrong = (what: string) => new LoadlineError('E_USAGE', `${what} is wrong.`);

test('a part that two others need is read once, and handed on', () => {
  let reads = 0;
  const size = once(() => {
    reads += 1;
    return 4;
  });
  const read = readTogether({ size, twice: () => 2 * size(), thrice: () => 3 * size() });
  expect(read).toEqual({ size: 4, twice: 8, thrice: 12 });
  expect(reads).toBe(1);
});

test('a part that cannot be read is one fault, however many others need it, and is not read again', () => {
  let reads = 0;
  const size = once((): number => {
    reads += 1;
    throw wrong('--size');
  });
  expect(() => readTogether({ size, twice: () => 2 * size() })).toThrow(
    expect.objectContaining({ message: '--size is wrong.' }),
  );
  expect(reads).toBe(1);
});

test('parts that are wrong by themselves are told at once, those of a group among them', () => {
  const group = once(() =>
    readTogether({
      a: () => {
        throw wrong('a');
      },
      b: () => {
        throw wrong('b');
      },
    }),
  );
  const told = () =>
    readTogether({
      group,
      needsIt: () => group(),
      c: () => {
        throw wrong('c');
      },
    });
  expect(told).toThrow(expect.objectContaining({ why: 'a is wrong.\nb is wrong.\nc is wrong.' }));
});
