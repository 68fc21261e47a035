import type { ProbeHostId } from './probe-host.js';

/** What is kept of a probe that failed, so that its failure can be understood; or of the pictures that it saw. */
export interface ProbeArtifacts {
  readonly probe: string;
  /** Where it ran; absent: on the one host. */
  readonly host?: ProbeHostId;
  readonly atMs: number;
  /** What its received video showed, as a data URL of a small JPEG; absent where no frame had come. */
  readonly picture?: string;
  /** Each by what it is: the last stats and both descriptions of each leg. */
  readonly texts: readonly { readonly name: string; readonly text: string }[];
}

/** Of one trial no more are kept: the first failures tell most. */
export const mostArtifacts = 8;
