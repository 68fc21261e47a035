import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { asBatchWork } from './batch-work.js';

/**
 * `/proc/self/stat` (proc(5)): the scheduling policy is field 41, and fields count from the name's parenthesis, which
 * ends the second.
 */
const policyOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[41 - 3]);

test('a program that is started behind the words is batch work for the kernel', async () => {
  const words = await asBatchWork();
  test.skip(words.length === 0, 'chrt(1) is not there, or may not set the policy');
  const [program = '', ...more] = [...words, 'cat', '/proc/self/stat'];
  const { stdout } = await promisify(execFile)(program, more);
  expect(policyOf(stdout)).toBe(3);
});
