import type { MediaKind } from '../../model/scenario.js';

/** As Kurento names them: `out` of the element into the pipeline, `in` to the element from the pipeline. */
export type Flow = 'in' | 'out';

const keys = {
  in: { audio: 'in audio', video: 'in video' },
  out: { audio: 'out audio', video: 'out video' },
} as const;

/** A stream silent for this long no longer flows; a Kurento takes 2.5 to 3 s to say so. */
const silenceMs = 2500;

/** Which streams of an endpoint flow, told at each change. */
export class Flows {
  readonly #flowing = new Set<string>();
  readonly #onChange: (flow: Flow, kind: MediaKind, flowing: boolean) => void;

  constructor(onChange: (flow: Flow, kind: MediaKind, flowing: boolean) => void) {
    this.#onChange = onChange;
  }

  flowing(flow: Flow, kind: MediaKind): boolean {
    return this.#flowing.has(keys[flow][kind]);
  }

  /** A packet passed. */
  note(flow: Flow, kind: MediaKind): void {
    const key = keys[flow][kind];
    if (this.#flowing.has(key)) return;
    this.#flowing.add(key);
    this.#onChange(flow, kind, true);
  }

  /** To be called now and then with the time of the last packet. */
  watch(flow: Flow, kind: MediaKind, lastPacketAtMs: number | undefined, nowMs: number): void {
    if (lastPacketAtMs === undefined || nowMs - lastPacketAtMs < silenceMs) return;
    if (this.#flowing.delete(keys[flow][kind])) this.#onChange(flow, kind, false);
  }
}
