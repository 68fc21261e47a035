import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { studiedServerSchema, studySchema } from '../../model/study.js';
import { changedFiles, setUpOf } from './server-set-up.js';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-set-up-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

const pathsOf = async (start: string) =>
  (await setUpOf({ name: 'one', start, plan: {} }, folder)).files.map(({ path }) => path);

test('files that a command names are those of words, flags, folders and mounts; programs, logs and keys are left out', async () => {
  await mkdir(join(folder, 'conf'));
  for (const name of ['a.yml', 'conf/b.jcfg', 'conf/notes.txt', 'out.log', 'conf/a.pem', 'run.sh'])
    await writeFile(join(folder, name), name);
  await writeFile(join(folder, 'server'), Buffer.from([127, 69, 76, 70, 0]));
  expect(await pathsOf('A=1 exec ./server --config=a.yml -F conf > out.log')).toEqual(['a.yml', 'conf/b.jcfg']);
  expect(await pathsOf('exec docker run -v $PWD/conf:/etc/x:ro image; exec ./run.sh "absent.yml"')).toEqual([
    'conf/b.jcfg',
    './run.sh',
  ]);
  expect(await pathsOf(`cd conf && exec x b.jcfg ${folder}/a.yml`), 'of another folder').toEqual([`${folder}/a.yml`]);
});

test('of files a hash alone is stored, whatever they hold, and also where a folder of before has their text', async () => {
  const text = 'admin_secret = "janusoverlord"\n';
  await writeFile(join(folder, 'a.jcfg'), text);
  const { files } = await setUpOf({ name: 'one', start: 'x a.jcfg', plan: {} }, folder);
  expect(files).toEqual([{ path: 'a.jcfg', sha256: createHash('sha256').update(text).digest('hex') }]);
  const before = { name: 'one', plan: {}, files: [{ path: 'a.jcfg', text }] };
  expect(JSON.stringify(studiedServerSchema.parse(before))).not.toContain('janusoverlord');
});

const commandOf = async (start: string) => (await setUpOf({ name: 'one', start, plan: {} }, folder)).start;

test('values of names like those of secrets are hidden in commands and plans, in whichever way they stand there', async () => {
  for (const start of [
    'API_SECRET=hush exec x',
    `KEYS="devkey: hush, other: hush" exec x`,
    'exec x --pass hush',
    'exec x --lt-cred-mech -u alice:hush',
    'exec x --user=alice:hush',
    `docker run -e 'API_SECRET=two hush' x`,
    `sh -c 'exec x --keys "devkey: hush"'`,
    'cat > a.jcfg <<E\nadmin_secret = "hush"\nturn_pwd = hush\nE\nexec x',
    'cat > a.yml <<E\nkeys:\n  API1: hush\n  API2: 3nGq8Zb/cXyhushhushhush=\nE\nexec x',
    'echo "-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----" > a.pem',
  ])
    expect(await commandOf(start), start).not.toContain('hush');
  const plan = { server: 'x://me:hush@127.0.0.1:1', resetCommand: 'reset --pass hush' };
  expect(JSON.stringify(await setUpOf({ name: 'one', plan }, folder))).not.toContain('hush');
});

test('a command shows the digest of its image', async () => {
  const start = `exec docker run -e KEY=hush livekit/livekit-server@sha256:${'0a'.repeat(32)} --config /etc/livekit.yaml`;
  expect(await commandOf(start)).toBe(start.replace('hush', '***'));
});

test('only files that were there when the study began are told as changed', async () => {
  const server = { name: 'one', start: 'x a.yml b.yml --state=new.json > old.log', plan: {} };
  for (const name of ['a.yml', 'b.yml', 'old.log']) await writeFile(join(folder, name), '1');
  const begun = studySchema.parse({
    ...{ format: 1, name: 's', startedAt: '', rounds: 1, seed: 1, chance: 0.05, cells: [], parts: [], question: '' },
    servers: [await setUpOf(server, folder)],
  });
  for (const name of ['b.yml', 'old.log', 'new.json']) await writeFile(join(folder, name), '2');
  const changed = changedFiles(begun, [await setUpOf(server, folder)]);
  expect(changed).toHaveLength(1);
  expect(changed[0]).toContain('b.yml');
});
