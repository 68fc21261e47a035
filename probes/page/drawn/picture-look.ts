import { type MediaSource, senderOfSource } from '../../../model/scenario.js';
import { senderOf } from '../../../model/sender-mark.js';
import { lookEvery, lumaOf } from '../shown-frames.js';
import { type DrawnMark, isBlank, type Luma, readDrawn, stripShare, takenMsOf } from './drawn-mark.js';
import { type Look, SeenPictures } from './seen-pictures.js';
import { Tiles } from './tiles.js';

const everyMs = 500;

interface Looking {
  readonly clock: number;
  /** The shape of what is sent. */
  readonly sent: { readonly width: number; readonly height: number };
  /** Whose picture is expected now: a section may get another one's. */
  source(): MediaSource | undefined;
}

/** Looks twice a second at what a video element shows. Of pictures that it cannot read nothing is known. */
export class PictureLook {
  private readonly tiles: Tiles;
  private readonly seen: SeenPictures;
  readonly close: () => void;

  constructor(
    element: HTMLVideoElement,
    private readonly looking: Looking,
  ) {
    this.tiles = new Tiles(looking.sent);
    this.seen = new SeenPictures(looking.clock);
    this.close = lookEvery(everyMs, element, (frame, shown) => this.look(frame, shown));
  }

  take(): ReturnType<SeenPictures['take']> {
    return this.seen.take();
  }

  private async look(frame: VideoFrame, { shownMs, presented }: Pick<Look, 'shownMs' | 'presented'>): Promise<void> {
    const source = this.looking.source();
    // Slides have no marks, and may begin with white.
    if (source && 'screen' in source) return;
    const isMix = source !== undefined && 'mix' in source;
    const luma = await lumaOf(frame, (height) => (isMix ? height : height * stripShare + 2));
    if (!luma) return;
    const { width, height, rect } = luma;
    const marks = isMix ? this.tiles.read(luma, { width, height }) : one(luma, width, height);
    const isOneColour = marks.length === 0 && isBlank(luma, rect.width, rect.height);
    const sender = senderOfSource(source);
    const expected = sender === undefined ? undefined : senderOf(sender);
    const takenMs = (mark: DrawnMark) => takenMsOf(mark.tick, shownMs);
    this.seen.note({ marks, isMix, isOneColour, shownMs, presented, expected, takenMs });
  }
}

function one(luma: Luma, width: number, height: number): readonly DrawnMark[] {
  const mark = readDrawn(luma, { x: 0, y: 0, width, height });
  return mark ? [mark] : [];
}
