import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { layOutByNetwork } from '../layout.js';
import { startFile } from './open-context.js';

test("a program behind words gets the driver's arguments untouched, in the same process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "loadline it's-"));
  try {
    const file = await startFile(folder, ['env', "WHERE=it's here"], '/bin/sh');
    const { stdout, pid } = spawnSync(file, ['-c', 'printf "%s|%s|$$" "$WHERE" "$1"', 'sh', 'a  b']);
    expect(String(stdout)).toBe(`it's here|a  b|${pid}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('no browser has probes of two networks, and those of one share theirs', () => {
  const participants = ['a', 'a', 'a', 'b', 'a', 'b', undefined].map((network) =>
    network === undefined ? {} : { network },
  );
  const { pages, browsers, places } = layOutByNetwork(participants, { probesPerPage: 2, pagesPerBrowser: 2 });
  expect(browsers.map(({ network }) => network)).toEqual(['a', 'b', undefined]);
  expect(browsers.flatMap((browser) => browser.pages)).toEqual(Array.from({ length: pages }, (_, page) => page));
  participants.forEach((participant, index) => {
    const place = places[index];
    const browser = browsers[place?.browser ?? -1];
    expect(browser?.network).toBe((participant as { network?: string }).network);
    expect(browser?.pages).toContain(place?.page);
  });
});
