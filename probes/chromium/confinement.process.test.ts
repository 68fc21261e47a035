import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { childEnvironment } from '../../host/child-environment.js';
import { isFileOpenToAll, isFolderOpenToAll } from '../../host/open-to-all.js';
import { asUser, nobodyOf } from '../../host/unprivileged.js';
import { confined, confinementOf } from './confinement.js';

test('the unprivileged user is the one that passwd(5) names, else the overflow uid of the kernel', () => {
  const passwd = 'root:x:0:0:root:/root:/bin/bash\nnobody:x:99:98:nobody:/:/sbin/nologin\n';
  expect(nobodyOf(passwd)).toEqual({ name: 'nobody', uid: 99, gid: 98 });
  expect(nobodyOf('')).toEqual({ name: 'nobody', uid: 65_534, gid: 65_534 });
  expect(asUser(nobodyOf(passwd)).join(' ')).toBe('setpriv --reuid=99 --regid=98 --clear-groups --inh-caps=-all --');
});

test('a browser is given what it needs of the environment, and nothing else', () => {
  const kept = { PATH: '/bin', LC_ALL: 'C', DISPLAY: ':0', http_proxy: 'http://proxy.example:3128' };
  const secrets = {
    LOADLINE_WHIP_HEADER: 'X-Key: a',
    LOADLINE_WEBHOOK: 'https://chat.example/b',
    LOADLINE_JANUS_ROOM_KEY: 'c',
    AWS_ACCESS_KEY_ID: 'd',
    DATABASE_URL: 'postgres://e:f@db',
    SSH_AUTH_SOCK: '/tmp/agent',
    HTTPS_PROXY: 'http://user:g@/h@proxy.example:3128',
  };
  expect(childEnvironment({ HOME: '/tmp/home' }, { ...secrets, ...kept, HOME: '/root', LANG: undefined })).toEqual({
    ...kept,
    HTTPS_PROXY: 'http://proxy.example:3128',
    HOME: '/tmp/home',
  });
});

test('what everybody can read is known by each folder above it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-open-test-'));
  await mkdir(join(folder, 'in'));
  const file = join(folder, 'in', 'clip');
  await writeFile(file, '', { mode: 0o644 });
  await chmod(join(folder, 'in'), 0o755);
  await chmod(file, 0o644);
  expect([await isFileOpenToAll(file), await isFolderOpenToAll(join(folder, 'in'))]).toEqual([false, false]);
  await chmod(folder, 0o711);
  expect([await isFileOpenToAll(file), await isFolderOpenToAll(join(folder, 'in'))]).toEqual([true, true]);
  await chmod(file, 0o640);
  expect(await isFileOpenToAll(file)).toBe(false);
  await rm(folder, { recursive: true });
});

test('where root finds no other user, or Chromium no sandbox, that is said and the next best is used', async () => {
  const places = { chromiumPath: '/nonexistent/chromium', temporaryRoot: '/' };
  const isRoot = process.getuid?.() === 0;
  expect(await confinementOf(places)).toMatchObject(isRoot ? { as: 'root', sandbox: false } : { as: 'own-user' });
  // A program that any user can run and that takes --version stands for Chromium.
  const program = { chromiumPath: '/bin/true', temporaryRoot: '/' };
  const tried: boolean[] = [];
  const opening = confined(program, async ({ sandbox }) => {
    tried.push(sandbox);
    if (sandbox) throw new Error('FATAL:zygote_host_impl_linux.cc] No usable sandbox!');
    return 'open';
  });
  if (isRoot) expect(await opening).toBe('open');
  else await expect(opening).rejects.toMatchObject({ code: 'E_CHROMIUM_START' });
  expect(tried).toEqual(isRoot ? [true, false] : [true]);
  if (isRoot) expect(await confinementOf(program)).toMatchObject({ as: 'other-user', sandbox: false });
});
