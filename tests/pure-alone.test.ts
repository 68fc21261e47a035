import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { expect, test } from '@playwright/test';

test('a pure test that starts a process fails, even one that heeds no error', () => {
  test.fail();
  spawn('loadline-no-such-program').on('error', () => undefined);
});

test('a pure test that waits for a process fails', () => {
  test.fail();
  spawnSync('loadline-no-such-program');
});

test('a pure test that opens a port fails', async () => {
  test.fail();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => server.close(resolve));
});

test('a pure test that starts nothing is let be', () => {
  expect(test.info().errors).toEqual([]);
});
