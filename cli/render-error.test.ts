import { expect, test } from '@playwright/test';
import { LoadlineError } from '../model/errors.js';
import { renderError } from './render-error.js';

test('an error says what, where, why, what to do and the exit code, in this order', () => {
  const error = new LoadlineError('E_PORT_IN_USE', 'Port 8888 is taken.', {
    where: '--port',
    why: 'another program\nlistens there',
    todo: 'use --port 0',
  });
  expect(renderError(error)).toEqual({
    exitCode: 2,
    text: `error E_PORT_IN_USE: Port 8888 is taken.

    where   --port
    why     another program
            listens there
    do      use --port 0

exit 2
`,
  });
});

test('parts that an error does not have leave no empty lines', () => {
  expect(renderError(new LoadlineError('E_METRICS', 'Gone.')).text).toBe('error E_METRICS: Gone.\n\nexit 1\n');
});

test('an error nobody foresaw is E_INTERNAL with its stack', () => {
  const { text, exitCode } = renderError(new TypeError('x is not a function'));
  expect(exitCode).toBe(1);
  expect(text).toContain('error E_INTERNAL: ');
  expect(text).toContain('render-error.test.ts');
});
