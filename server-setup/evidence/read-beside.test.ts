import { expect, test } from '@playwright/test';
import { readBeside } from './read-beside.js';

const meter = { read: async () => ({ cpuCores: 3.9 }) };

test('the process of a server is read though the server refuses to list, or does not answer in time', async () => {
  const ofProcess = { atMs: expect.any(Number), cpuCores: 3.9 };
  expect(await readBeside(Promise.reject(new Error('busy')), meter)).toEqual(ofProcess);
  expect(await readBeside(new Promise(() => undefined), meter)).toEqual(ofProcess);
  expect(await readBeside(Promise.resolve(4), meter)).toEqual({ ...ofProcess, sessions: 4 });
  await expect(readBeside(Promise.reject(new Error('busy')), undefined)).rejects.toThrow('busy');
});
