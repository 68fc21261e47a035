import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { TestClient } from '../../tests/embedded/test-client.js';
import { startEmbeddedServer } from '../server.js';
import { recordingPath } from './recording-place.js';

let outside = '';
test.beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'loadline-place-test-'));
});
test.afterEach(() => rm(outside, { recursive: true, force: true }));

test('a recording lies directly in the folder for recordings, whatever its URI looks like', () => {
  const folder = '/srv/recordings';
  expect(recordingPath(folder, 'file:///srv/recordings/a.webm')).toBe('/srv/recordings/a.webm');
  const others = [
    'file:///etc/passwd',
    'file:///srv/recordings/../a.webm',
    'file:///srv/recordings/%2e%2e/a.webm',
    'file:///srv/recordings/sub/a.webm',
    'file:///srv/recordings/',
    'file:///srv/recordings%2Fa.webm',
    'http://srv/recordings/a.webm',
    'a.webm',
  ];
  for (const uri of others) expect(() => recordingPath(folder, uri), uri).toThrow();
  expect(() => recordingPath(undefined, 'file:///srv/recordings/a.webm')).toThrow('no folder');
});

test('a recorder writes over no file, through no link and nowhere else, and says so as an Error event', async () => {
  const recordIn = join(outside, 'recordings');
  await mkdir(recordIn);
  const precious = join(outside, 'precious');
  const linked = join(recordIn, 'linked.webm');
  const there = join(recordIn, 'there.webm');
  await writeFile(precious, 'precious');
  await writeFile(there, 'precious');
  await symlink(precious, linked);
  await symlink(join(outside, 'made-by-link'), join(recordIn, 'dangling.webm'));
  const server = await startEmbeddedServer({ port: 0, recordIn });
  const client = await TestClient.open(server.url);
  const mediaPipeline = await client.create('MediaPipeline');
  const record = async (path: string) => {
    const recorder = await client.create('RecorderEndpoint', { mediaPipeline, uri: pathToFileURL(path).href });
    await client.call('subscribe', { type: 'Error', object: recorder });
    await client.invoke(recorder, 'record');
    return client.eventsOf('Error', recorder).map(({ description }) => String(description))[0];
  };
  expect(await record(precious)).toContain(`into ${recordIn} only`);
  expect(await record(linked)).toMatch(/EEXIST|ELOOP/);
  expect(await record(join(recordIn, 'dangling.webm'))).toMatch(/EEXIST|ELOOP/);
  expect(await record(there)).toContain('EEXIST');
  expect(await record(join(recordIn, 'new.webm'))).toBeUndefined();
  expect([await readFile(precious, 'utf8'), await readFile(there, 'utf8')]).toEqual(['precious', 'precious']);
  await expect(readFile(join(outside, 'made-by-link'))).rejects.toThrow('ENOENT');
  client.close();
  await server.close();
});

test('a server that is given no folder makes one that is its own alone, and takes it away when it ends', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(server.url);
  const folder = String(await client.invoke('manager_ServerManager', 'getRecordingFolder'));
  const { mode } = await stat(folder);
  expect(mode & 0o777).toBe(0o700);
  client.close();
  await server.close();
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});
