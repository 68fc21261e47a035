import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { errorCodes } from '../../model/errors.js';

interface Section {
  readonly code: string;
  readonly text: string;
}

const page = readFileSync(new URL('errors.md', import.meta.url), 'utf8');
const sections: readonly Section[] = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ code: text.split('\n')[0] ?? '', text }));

test('the page of errors explains every code, and only codes that exist', () => {
  expect(sections.map((one) => one.code).sort()).toEqual(Object.keys(errorCodes).sort());
});

for (const [code, { title, exitCode }] of Object.entries(errorCodes)) {
  test(`the page says of ${code} its title, exit code, cause and remedy`, () => {
    const text = sections.find((one) => one.code === code)?.text ?? '';
    expect(text).toContain(`\n${title}. Exit ${exitCode}.\n`);
    expect(text).toMatch(/^- Cause: \S/m);
    expect(text).toMatch(/^- Remedy: \S/m);
  });
}
