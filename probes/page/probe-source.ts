import type { PagePictures } from './drawn/probe-pictures.js';
import type { EncodedMedia } from './encoded/encoded-media.js';
import type { SentPictures } from './quality/sent-pictures.js';

/** Where a page's probes get what they send. */
export interface ProbeSource {
  /** This host's clock, by its name in marks. */
  readonly clock: number;
  /** Absent on a page where nobody sends. */
  readonly camera?: MediaStream;
  /** Present when the camera's frames are replaced by encoded ones. */
  readonly encoded?: EncodedMedia;
  /** Present when the camera's pictures are marked, and received ones are read. */
  readonly pictures?: PagePictures;
  /** What cameras send, made when it is first needed. Absent where received frames are not decoded. */
  readonly sentPictures?: () => SentPictures;
}
