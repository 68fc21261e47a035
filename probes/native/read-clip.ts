import { mappedFile } from '../../host/mapped-file.js';
import { type Clip, unpackClip } from '../page/encoded/clip-file.js';

/** Its frames are views of the file, shared by all probes of this host. Throws where it cannot be read. */
export function readClip(path: string): Clip {
  return unpackClip(mappedFile(path));
}
