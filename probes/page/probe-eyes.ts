import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { StreamSample } from '../../model/sample.js';
import { ProbePictures } from './drawn/probe-pictures.js';
import type { ProbeSource } from './probe-source.js';
import { PictureQuality } from './quality/picture-quality.js';
import { vmafBy } from './quality/vmaf.js';
import type { Shown } from './shown-videos.js';
import type { HostFunction, ProbeOrder } from './wire.js';

/** What a full probe looks at, beside getStats: marks in pictures, and how good these are. */
export class ProbeEyes {
  /** What it sends. */
  readonly source: ProbeSource;
  private readonly probe: string;
  private readonly pictures: ProbePictures | undefined;
  private readonly quality: PictureQuality | undefined;

  constructor({ participant, sees }: ProbeOrder, source: ProbeSource, host: HostFunction) {
    this.probe = participant.id;
    this.pictures = source.pictures && new ProbePictures(source.pictures, participant);
    this.source = this.pictures?.of(source) ?? source;
    this.quality =
      sees && source.sentPictures ? new PictureQuality(source.sentPictures, vmafBy(host, participant.id)) : undefined;
  }

  /** Its samples with what it has seen. */
  read(peers: readonly Shown[], streams: readonly StreamSample[]): readonly StreamSample[] {
    const marked = this.pictures?.read(peers, streams) ?? streams;
    return this.quality?.read(peers, marked) ?? marked;
  }

  /** What is to be kept of what it has seen last. */
  close(): ProbeArtifacts | undefined {
    this.pictures?.close();
    return this.quality?.close(this.probe);
  }
}
