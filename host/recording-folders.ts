import { ownedFolders } from './owned-folders.js';

/** One for the recorded files of each media server that runs on this host. */
export const recordingFolders = ownedFolders('recordings');
