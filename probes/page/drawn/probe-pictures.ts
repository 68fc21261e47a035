import type { StreamSample } from '../../../model/sample.js';
import type { Participant } from '../../../model/scenario.js';
import { keyOf, type Shown, type ShownVideo, videosOf } from '../shown-videos.js';
import type { PageMedia } from '../wire.js';
import type { DrawingCamera, DrawnPictures } from './drawing-camera.js';
import { PictureLook } from './picture-look.js';
import type { SeenPictures } from './seen-pictures.js';

/** What all probes of a page share. */
export interface PagePictures {
  /** Absent on a page where nobody sends. */
  readonly camera?: DrawingCamera;
  readonly clock: number;
  readonly media: PageMedia;
}

type Taken = ReturnType<SeenPictures['take']>;

/** The pictures of one probe: its mark is in those that it sends, and it reads the marks in those that it shows. */
export class ProbePictures {
  private readonly sent: DrawnPictures | undefined;
  private readonly looks = new Map<HTMLMediaElement, PictureLook>();
  /** Those that send what the camera gives. */
  private readonly ofCamera: ReadonlySet<string>;
  private framesBefore = 0;

  constructor(
    private readonly page: PagePictures,
    participant: Participant,
  ) {
    const legs = participant.legs.filter((leg) => leg.sends.includes('video') && !leg.screen);
    this.ofCamera = new Set(legs.map(({ id }) => id));
    const sends = legs.length > 0;
    this.sent = sends ? page.camera?.pictures(participant.id) : undefined;
  }

  /** What this probe sends in place of what the page's camera gives. */
  of<Source extends { readonly camera?: MediaStream }>(source: Source): Source {
    const { sent } = this;
    if (!sent || !source.camera) return source;
    return { ...source, camera: new MediaStream([sent.track, ...source.camera.getAudioTracks()]) };
  }

  /** The samples of a probe with what its marks say. What has begun to play since is looked at from now on. */
  read(peers: readonly Shown[], streams: readonly StreamSample[]): readonly StreamSample[] {
    const taken = new Map(peers.flatMap((peer) => this.takeOf(peer)));
    const frames = this.sent?.frames ?? 0;
    const drawn = frames - this.framesBefore;
    this.framesBefore = frames;
    return streams.map((stream) => {
      if (stream.kind !== 'video') return stream;
      if (stream.direction === 'receive') return taken.get(keyOf(stream.leg, stream.stream))?.(stream) ?? stream;
      const { framesSent } = stream.metrics;
      if (!this.sent || framesSent === undefined || !this.ofCamera.has(stream.leg)) return stream;
      return { ...stream, metrics: { ...stream.metrics, drawnFrames: drawn } };
    });
  }

  close(): void {
    this.sent?.stop();
    for (const look of this.looks.values()) look.close();
  }

  private takeOf(peer: Shown): (readonly [string, Taken])[] {
    return videosOf(peer).map((video) => [video.key(), (this.looks.get(video.element) ?? this.begin(video)).take()]);
  }

  private begin({ element, source }: ShownVideo): PictureLook {
    const { clock, media: sent } = this.page;
    const look = new PictureLook(element, { clock, sent, source });
    this.looks.set(element, look);
    return look;
  }
}
