import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { setUpOf } from './server-set-up.js';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-set-up-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

const pathsOf = async (start: string) =>
  (await setUpOf({ name: 'one', start, plan: {} }, folder)).files.map(({ path }) => path);

test('files that a command names are those of words, flags, folders and mounts; programs and logs are left out', async () => {
  await mkdir(join(folder, 'conf'));
  for (const name of ['a.yml', 'conf/b.jcfg', 'conf/notes.txt', 'out.log', 'run.sh'])
    await writeFile(join(folder, name), name);
  await writeFile(join(folder, 'server'), Buffer.from([127, 69, 76, 70, 0]));
  expect(await pathsOf('A=1 exec ./server --config=a.yml -F conf > out.log')).toEqual(['a.yml', 'conf/b.jcfg']);
  expect(await pathsOf('exec docker run -v $PWD/conf:/etc/x:ro image; exec ./run.sh "absent.yml"')).toEqual([
    'conf/b.jcfg',
    './run.sh',
  ]);
  expect(await pathsOf(`cd conf && exec x b.jcfg ${folder}/a.yml`), 'of another folder').toEqual([`${folder}/a.yml`]);
});

test('secrets are hidden in commands, plans and files, also where their names are a server’s own', async () => {
  const key = 'secretsecretsecretsecretsecret';
  const lines = [`keys: { devkey: ${key} }`, 'api_secret: hush', '-----BEGIN PRIVATE KEY-----', 'MIIE', 'port: 7880'];
  await writeFile(join(folder, 'a.yml'), lines.join('\n'));
  const start = `API_SECRET=hush KEYS="devkey: ${key}" exec x a.yml`;
  const set = await setUpOf({ name: 'one', start, plan: { server: 'x://me:hush@127.0.0.1:1' } }, folder);
  const text = JSON.stringify(set);
  for (const secret of ['hush', key, 'MIIE']) expect(text).not.toContain(secret);
  expect(text).toContain('devkey');
});

test('a file that is longer than a page can show is cut, and that shows', async () => {
  await writeFile(join(folder, 'a.yml'), 'x: 1\n'.repeat(20_000));
  const [file] = (await setUpOf({ name: 'one', start: 'x a.yml', plan: {} }, folder)).files;
  expect(file?.text.length).toBeLessThan(70_000);
  expect(file?.text).toMatch(/\(cut\)$/);
});
