import { chmod, constants, copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isFileOpenToAll } from '../../host/open-to-all.js';
import { removeFolder } from '../../host/remove-folder.js';
import { fileRefusal } from '../../model/file-refusal.js';
import { confinementOf } from './confinement.js';
import type { MediaFiles } from './media/media-files.js';
import { profileFolders } from './profile-folders.js';

/** Clips that browsers can open, and what takes away what was made for that. */
export interface ReadableClips {
  readonly files: MediaFiles;
  close(): Promise<void>;
}

/**
 * The clips, where the user of the browsers can read them; else copies in a temporary folder. The cache of root is in
 * root's home, which nobody else may enter. Rejects with E_FOLDER, E_DISK_FULL.
 */
export async function readableClips(
  files: MediaFiles,
  chromiumPath: string,
  temporaryRoot: string,
): Promise<ReadableClips> {
  const isOpen = (await isFileOpenToAll(files.camera)) && (await isFileOpenToAll(files.microphone));
  if ((await confinementOf({ chromiumPath, temporaryRoot })).as !== 'other-user' || isOpen)
    return { files, close: async () => undefined };
  const what = 'The clips of cameras and microphones cannot be copied for the browsers.';
  const folder = await profileFolders.make(temporaryRoot).catch((error: unknown) => {
    throw fileRefusal(error, what);
  });
  try {
    await chmod(folder, 0o711);
    const [camera, microphone] = [await copyInto(folder, files.camera), await copyInto(folder, files.microphone)];
    return { files: { camera, microphone }, close: () => removeFolder(folder) };
  } catch (error) {
    await removeFolder(folder);
    throw fileRefusal(error, what);
  }
}

async function copyInto(folder: string, path: string): Promise<string> {
  const copy = join(folder, basename(path));
  await copyFile(path, copy, constants.COPYFILE_FICLONE);
  await chmod(copy, 0o444);
  return copy;
}
