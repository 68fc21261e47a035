import { ownedFolders } from '../../host/owned-folders.js';

/** One per browser: its profile and temporary files. A killed run's browsers end when their control pipe closes. */
export const profileFolders = ownedFolders('chromium');
