import { expect, test } from '@playwright/test';
import { readError } from './store-error.js';

test('a folder that may not be read is called so, and not one without runs', () => {
  const coded = (code: string) => Object.assign(new Error(`${code}: so it is`), { code });
  const told = (code: string) => readError(coded(code), '/runs', '/runs is not a folder with runs.', 'name another');
  expect(told('EACCES').message).toBe('/runs may not be read by this user.');
  expect(told('EACCES').why).toContain('EACCES');
  expect(told('EACCES').todo).not.toContain('name another');
  expect(told('ENOENT')).toMatchObject({ message: '/runs is not a folder with runs.', todo: 'name another' });
});
