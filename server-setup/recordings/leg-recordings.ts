import { messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type Leg, type MediaKind, sendsPauses } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';

/** How one leg is recorded, by whatever a kind of server records with. */
interface LegRecorder {
  readonly participant: string;
  readonly leg: Leg;
  begin(): Promise<unknown>;
  /** Ends what was begun, and waits until the file is whole. */
  end(): Promise<unknown>;
  /** Called last, whatever became of it. */
  put(result: RecordingResult): void;
}

export interface RecordingResult {
  /** From begin to end; 0 for what was never begun. */
  readonly durationMs: number;
  /** A sentence part: "was never begun: …". */
  readonly error?: string;
  /** Present where its sound has pauses in place of packets. */
  readonly pauses?: true;
}

interface Recording {
  readonly recorder: LegRecorder;
  /** What has not come to the server yet. */
  readonly awaited: Set<MediaKind>;
  /** Resolves when the server has said that it records, or did not. */
  begun?: Promise<void>;
  begunAtMs?: number;
  error?: string;
}

/**
 * The recordings of one session, one for each leg that sends. Each begins when all that its participant sends has come,
 * so that it is known how long a file must last: what comes before that, nobody has promised.
 */
export class LegRecordings {
  readonly #recordings = new Map<string, Recording>();
  #stopped: Promise<void> | undefined;

  constructor(private readonly onEvent: (event: ServerEvent) => void) {}

  /** Nothing begins any more. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** To be called before media of the leg can come. */
  add(recorder: LegRecorder): void {
    this.#recordings.set(recorder.leg.id, { recorder, awaited: new Set(recorder.leg.sends) });
  }

  /** The server itself said that the recording of a leg failed; of several failures the first counts. */
  fail(leg: string, error: string): void {
    const recording = this.#recordings.get(leg);
    if (recording) recording.error ??= error;
  }

  onServerEvent(event: ServerEvent): void {
    if (event.kind !== 'flow' || event.from !== 'participant' || !event.flows || this.isStopped) return;
    const recording = this.#recordings.get(event.leg);
    if (!recording) return;
    recording.awaited.delete(event.media);
    if (recording.awaited.size === 0) recording.begun ??= this.#begin(recording);
  }

  async #begin(recording: Recording): Promise<void> {
    try {
      await recording.recorder.begin();
      recording.begunAtMs = performance.now();
      this.#tell('recording-begun', recording);
    } catch (error) {
      recording.error ??= `could not be begun: ${messageOf(error)}`;
    }
  }

  #tell(kind: 'recording-begun' | 'recording-ended', { recorder: { leg, participant } }: Recording): void {
    this.onEvent({ kind, atMs: Date.now(), leg: leg.id, participant });
  }

  /** Ends every recording and waits until the files are whole. Never rejects: what went wrong is told with the file. */
  stop(): Promise<void> {
    this.#stopped ??= Promise.all([...this.#recordings.values()].map((one) => this.#stop(one))).then(() => undefined);
    return this.#stopped;
  }

  async #stop(recording: Recording): Promise<void> {
    const { recorder, awaited } = recording;
    await recording.begun;
    const durationMs = recording.begunAtMs === undefined ? 0 : performance.now() - recording.begunAtMs;
    if (recording.begunAtMs === undefined) {
      recording.error ??= `was never begun: no ${[...awaited].join(' and no ')} of it came to the server`;
    } else {
      await recorder.end().then(
        () => this.#tell('recording-ended', recording),
        (error: unknown) => {
          recording.error ??= `could not be ended: ${messageOf(error)}`;
        },
      );
    }
    const { error } = recording;
    recorder.put(given({ durationMs, error, pauses: sendsPauses(recorder.leg) || undefined }));
  }
}
