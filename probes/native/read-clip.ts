import { mappedFile } from '../../host/mapped-file.js';
import { type Clip, unpackClip } from '../page/encoded/clip-file.js';

/** Its frames are views of the file, which all probes of this host share; of rates that nobody sends nothing is in memory. Throws where it cannot be read. */
export function readClip(path: string): Clip {
  return unpackClip(mappedFile(path));
}
