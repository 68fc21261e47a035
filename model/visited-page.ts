/** What a visited page and those who conduct it both name. */

/** Where a library is, for one participant, whom its address names. */
export const libraryPath = '/loadline-library.js';

/** Why pictures are decoded and encoded all the same: the app has the frames. */
export const ownTransform = 'the app transforms encoded media itself';
