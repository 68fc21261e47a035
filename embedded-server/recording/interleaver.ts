import type { MediaKind } from '../../model/scenario.js';
import type { TimedFrame } from './recorded-track.js';

/** A kind that has brought nothing for this long is not waited for: longer than a packet is. */
const silenceMs = 2000;

export interface PlacedFrame extends TimedFrame {
  readonly kind: MediaKind;
}

interface Held {
  readonly frame: PlacedFrame;
  readonly sinceMs: number;
}

/** Puts the frames of sound and picture into one line by their times: a WebM file goes forward only. */
export class Interleaver {
  readonly #held: Readonly<Record<MediaKind, Held[]>> = { audio: [], video: [] };
  #lastMs = Number.NEGATIVE_INFINITY;

  add(kind: MediaKind, frames: readonly TimedFrame[], nowMs: number): readonly PlacedFrame[] {
    for (const frame of frames) this.#held[kind].push({ frame: { ...frame, kind }, sinceMs: nowMs });
    return this.#take((held, other) => other !== undefined || nowMs - held.sinceMs >= silenceMs);
  }

  /** The rest. */
  flush(): readonly PlacedFrame[] {
    return this.#take(() => true);
  }

  #take(mayGo: (held: Held, other: Held | undefined) => boolean): readonly PlacedFrame[] {
    const taken: PlacedFrame[] = [];
    for (;;) {
      const [audio] = this.#held.audio;
      const [video] = this.#held.video;
      const audioFirst = video === undefined || (audio !== undefined && audio.frame.timeMs <= video.frame.timeMs);
      const [first, other] = audioFirst ? [audio, video] : [video, audio];
      if (first === undefined || !mayGo(first, other)) return taken;
      this.#held[first.frame.kind].shift();
      // One that comes after its place has gone by is put where the file is now.
      this.#lastMs = Math.max(this.#lastMs, first.frame.timeMs);
      taken.push({ ...first.frame, timeMs: this.#lastMs });
    }
  }
}
