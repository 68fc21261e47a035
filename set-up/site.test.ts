import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { linksForSite, pagesOfSite, staged, titleOf } from './site.mjs';

test('every page of the repository has a place in the site and a title, and each of its links leads to one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-site-test-'));
  try {
    staged(folder);
    const dead: string[] = [];
    const places = Object.values(pagesOfSite());
    for (const place of places) {
      const text = readFileSync(join(folder, place), 'utf8');
      if (titleOf(text) === '') dead.push(`${place} has no title`);
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)) {
        const isOutside = /^(https?:|mailto:)/.test(target);
        if (!isOutside && !existsSync(join(folder, dirname(place), target))) dead.push(`${place}: ${target}`);
      }
    }
    expect(dead).toEqual([]);
    expect(places).toEqual(expect.arrayContaining(['index.md', 'docs/reference/measuring.md', 'docker/index.md']));
    expect(readdirSync(join(folder, '.vitepress'))).toEqual(['config.mjs']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('links keep their headings, lead to where pages are in the site, and one to a file that is no page is its words', () => {
  const pages = { 'README.md': 'index.md', 'docs/a.md': 'docs/a.md', 'docker/README.md': 'docker/index.md' };
  const read = (text: string, path: string) => linksForSite(text, path, pages);
  expect(read('[a](docs/a.md#b) [c](#c) [d](https://e.test/f)', 'README.md')).toBe(
    '[a](./docs/a.md#b) [c](#c) [d](https://e.test/f)',
  );
  expect(read('[up](../README.md), [in](../docker/README.md#x)', 'docs/a.md')).toBe(
    '[up](../index.md), [in](../docker/index.md#x)',
  );
  expect(read('[the licence](LICENSE) and [nothing](no/such.md)', 'README.md')).toBe(
    'the licence and [nothing](no/such.md)',
  );
});
