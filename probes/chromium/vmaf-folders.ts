import { ownedFolders } from '../../host/owned-folders.js';

/** Of one comparison by VMAF each. */
export const vmafFolders = ownedFolders('vmaf');
