import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ArtifactFiles, artifactsFile, readArtifacts } from './artifact-files.js';

let directory: string;
test.beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loadline-artifacts-'));
});
test.afterEach(() => rm(directory, { recursive: true, force: true }));

const kept = (probe: string) => ({ probe, atMs: 1, texts: [{ name: 'offer', text: 'v=0\r\n"quoted"' }] });

test('what was kept of failed probes is read back in its order, trial by trial, up to a tear', async () => {
  const files = new ArtifactFiles(directory);
  for (const probe of ['1a', '1b', '2a']) files.write(3, kept(probe));
  files.write(4, kept('9a'));
  await files.settled();
  await appendFile(join(directory, artifactsFile(3)), '{"probe":"2b","te');
  expect(await readArtifacts(directory, 3)).toEqual([kept('1a'), kept('1b'), kept('2a')]);
  expect(await readArtifacts(directory, 4)).toEqual([kept('9a')]);
  expect(await readArtifacts(directory, 5)).toEqual([]);
});

test('a disk that refuses them is no failure', async () => {
  const files = new ArtifactFiles('/proc/nothing');
  files.write(1, kept('1a'));
  await files.settled();
  expect(await readFile(join(directory, artifactsFile(1))).catch(() => 'none')).toBe('none');
});
