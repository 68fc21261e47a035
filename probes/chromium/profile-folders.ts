import { ownedFolders } from '../../host/owned-folders.js';

/** One for each browser: its profile and its temporary files. A killed run's browsers end when their control pipe closes. */
export const profileFolders = ownedFolders('chromium');
