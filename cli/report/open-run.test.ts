import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { labelledRun } from '../../tests/labelled-run.js';
import { namedRunFolder, namedRunFolders } from './open-run.js';

test('a tag is the newest run that has it, or all of them where all are asked for', async () => {
  const workingFolder = await mkdtemp(join(tmpdir(), 'loadline-named-'));
  const runs = join(workingFolder, 'runs');
  await mkdir(runs);
  const made: string[] = [];
  for (const hour of [1, 2, 3])
    made.push(await labelledRun(runs, { limit: 9, hour, tags: [hour === 2 ? 'v2' : 'v1'] }));
  const of = async (word: string) => (await namedRunFolders(word, { workingFolder })).map((one) => basename(one));
  const [first, second, third] = made.map((one) => basename(one));
  expect(await of('v1')).toEqual([third, first]);
  expect(await of('v2')).toEqual([second]);
  expect(await of('latest')).toEqual([third]);
  expect(basename(await namedRunFolder('v1', { workingFolder }))).toBe(third);
  await expect(namedRunFolders('v9', { workingFolder })).rejects.toMatchObject({ code: 'E_RUN', where: 'v9' });
  await rm(workingFolder, { recursive: true });
});
