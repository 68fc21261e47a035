import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A program that starts `chromiumPath` behind these words, such as `ip netns exec NAME`: the browser driver starts one
 * file and nothing else. Each word replaces the one before in the same process, so that the driver's pipes and signals
 * reach Chromium.
 */
export async function startFile(folder: string, words: readonly string[], chromiumPath: string): Promise<string> {
  const path = join(folder, 'chromium-in-network');
  const command = [...words, chromiumPath].map(quoted).join(' ');
  await writeFile(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o700 });
  return path;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
