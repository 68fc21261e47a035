import { ownedFolders } from './owned-folders.js';

/** Folders for recorded files: one for each media server that runs on this host. */
export const recordingFolders = ownedFolders('recordings');
