import { expect, test } from '@playwright/test';
import { type ErrorCode, errorCodes, LoadlineError } from './errors.js';

test('no error of a media server leaves open what to do, and one that says it nearer is heard', () => {
  const codes = Object.keys(errorCodes).filter((code): code is ErrorCode => code.startsWith('E_SERVER_'));
  expect(codes.length).toBeGreaterThan(4);
  for (const code of codes) {
    expect(new LoadlineError(code, 'It did not.', { todo: undefined }).todo, code).toMatch(/\w+ \w+/);
    expect(new LoadlineError(code, 'It did not.', { todo: 'wait' }).todo).toBe('wait');
  }
});
