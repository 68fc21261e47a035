import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { mappedFile } from './mapped-file.js';

test('a file is what was written, also when another one has taken its name; an empty one is empty, and one that is not there throws', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-mapped-'));
  try {
    const written = randomBytes(100_001);
    const path = join(folder, 'file');
    await writeFile(path, written);
    const mapped = mappedFile(path);
    expect(mapped.equals(written)).toBe(true);
    await writeFile(join(folder, 'other'), 'other');
    await rename(join(folder, 'other'), path);
    expect(mapped.equals(written)).toBe(true);
    expect(mappedFile(path).toString()).toBe('other');
    await writeFile(join(folder, 'empty'), '');
    expect(mappedFile(join(folder, 'empty'))).toHaveLength(0);
    expect(() => mappedFile(join(folder, 'nowhere'))).toThrow('ENOENT');
  } finally {
    await rm(folder, { recursive: true });
  }
});
