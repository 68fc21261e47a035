import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { tokensBy } from './access-token.js';

test('a command makes tokens where key and secret are not here: of the room service once, of each who joins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-tokens-'));
  const file = join(folder, 'asked');
  const tokens = tokensBy({}, 'livekit://h', `tee -a ${file} > /dev/null; echo a.token.of-it`);
  expect(await tokens('loadline', { roomList: true })).toBe('a.token.of-it');
  expect(await tokens('loadline', { roomList: true })).toBe('a.token.of-it');
  await tokens('1a', { room: 'r', roomJoin: true });
  await tokens('1a', { room: 'r', roomJoin: true });
  const asked = readFileSync(file, 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  expect(asked.map((line) => JSON.parse(line).identity)).toEqual(['loadline', '1a', '1a']);
  expect(JSON.parse(asked[1] ?? '')).toEqual({ identity: '1a', grants: { room: 'r', roomJoin: true } });
});

test('a command that makes no token is a wrong call, told by name, and what it wrote is not shown', async () => {
  for (const [command, why] of [
    ['echo secret words', 'it wrote 12 characters, and'],
    ['true', 'it wrote nothing, and'],
    ['echo eyJhbGciOi.eyJ.sig refused >&2; exit 3', 'it ended with 3: *** refused'],
  ] as const) {
    const made = tokensBy({}, 'livekit://h', command)('1a', { room: 'r' });
    await expect(made).rejects.toMatchObject({ exitCode: 2, why: expect.stringContaining(why) });
    await expect(made).rejects.toMatchObject({ where: `--livekit-token-command ${command}` });
  }
});

test('a command that made tokens before is no wrong call', async () => {
  const tokens = tokensBy({}, 'livekit://h', 'grep -q 2b && echo no || echo a.token.of-it');
  await tokens('1a', { room: 'r' });
  await expect(tokens('2b', { room: 'r' })).rejects.toMatchObject({ code: 'E_SERVER_REFUSED' });
});
