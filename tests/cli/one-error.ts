import { expect } from '@playwright/test';
import type { Ended } from './run-loadline.js';

/** One clear error and nothing else: what every bad input ends in. */
export function expectOneError(ended: Ended, code: string, exitCode = 2): void {
  expect(ended.stderr).toContain(`error ${code}: `);
  expect(ended.stderr.match(/^error /gm), ended.stderr).toHaveLength(1);
  expect(ended.stderr).toMatch(/^ {4}where {3}\S/m);
  expect(ended.stderr).toMatch(/^ {4}do {6}\S/m);
  expect(ended.stderr).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(ended.stderr.trimEnd().split('\n').at(-1)).toBe(`exit ${exitCode}`);
  expect(ended.stdout).toBe('');
  expect(ended.exitCode).toBe(exitCode);
}
