import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Resolves with false where it was there. Not `mkdir` with `recursive`: that never
 * returns for a folder in /proc, where making one fails with ENOENT although everything above it is there.
 */
export async function makeFolders(path: string, how: { readonly mode?: number } = {}): Promise<boolean> {
  try {
    await mkdir(path, how);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const above = dirname(path);
    if (code === 'EEXIST' && (await isFolder(path))) return false;
    if (code !== 'ENOENT' || above === path || (await isFolder(above))) throw error;
    await makeFolders(above, how);
    return makeFolders(path, how);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
