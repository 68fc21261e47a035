import type { Leg, MediaKind } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import { errorText, translated } from './endpoint-events.js';
import { type KurentoCalls, nothing } from './kurento-calls.js';

export interface RecorderOptions {
  readonly calls: KurentoCalls;
  readonly pipeline: string;
  readonly shelf: RecordingShelf;
  readonly onEvent: (event: ServerEvent) => void;
}

interface Recorder {
  readonly id: string;
  readonly participant: string;
  readonly leg: Leg;
  readonly uri: string;
  /** What has not flowed in from the participant yet. */
  readonly awaited: Set<MediaKind>;
  /** Resolves when `record` was answered, or failed. */
  begun?: Promise<void>;
  begunAtMs?: number;
  error?: string;
}

/**
 * Records what each participant of one session sends, with a RecorderEndpoint for each. Recording begins when all that a
 * participant sends has come, so that it is known how long a file must last: what comes before that, nobody has promised.
 */
export class SessionRecorder {
  readonly #options: RecorderOptions;
  readonly #recorders = new Map<string, Recorder>();
  #stopped: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** To be called before the endpoint can carry media. */
  async attach(endpoint: string, participant: string, leg: Leg, signal: AbortSignal): Promise<void> {
    if (leg.sends.length === 0) return;
    const { calls, pipeline, shelf, onEvent } = this.#options;
    const uri = shelf.nextUri(participant);
    const properties = { mediaPipeline: pipeline, uri, mediaProfile: profileOf(leg) };
    const id = await calls.create('RecorderEndpoint', properties, signal);
    // A join that ends after its session: its pipeline goes with all that is in it, and nobody would forget the listener.
    if (this.#stopped !== undefined) return;
    const recorder: Recorder = { id, participant, leg, uri, awaited: new Set(leg.sends) };
    this.#recorders.set(leg.id, recorder);
    calls.listen(id, (event) => {
      onEvent(translated(event, { of: 'recording', participant, leg: leg.id }, Date.now()));
      recorder.error ??= `failed on the media server: ${errorText(event)}`;
    });
    await calls.subscribe(id, 'Error', signal);
    for (const kind of leg.sends) {
      await calls.invoke(endpoint, 'connect', { sink: id, mediaType: kind.toUpperCase() }, nothing, signal);
    }
  }

  /** Recording begins when everything that the participant sends has begun to flow. */
  onServerEvent(event: ServerEvent): void {
    if (event.kind !== 'flow' || event.from !== 'participant' || !event.flows || this.#stopped) return;
    const recorder = this.#recorders.get(event.leg);
    if (!recorder) return;
    recorder.awaited.delete(event.media);
    if (recorder.awaited.size === 0) recorder.begun ??= this.#begin(recorder);
  }

  async #begin(recorder: Recorder): Promise<void> {
    try {
      await this.#options.calls.invoke(recorder.id, 'record', {}, nothing);
      recorder.begunAtMs = performance.now();
      this.#tell('recording-begun', recorder);
    } catch (error) {
      recorder.error ??= `could not be begun: ${messageOf(error)}`;
    }
  }

  #tell(kind: 'recording-begun' | 'recording-ended', { leg, participant }: Recorder): void {
    this.#options.onEvent({ kind, atMs: Date.now(), leg: leg.id, participant });
  }

  /** Ends every recording and waits until the files are whole. Never rejects: what went wrong is told with the file. */
  stop(): Promise<void> {
    this.#stopped ??= Promise.all([...this.#recorders.values()].map((one) => this.#stop(one))).then(() => undefined);
    return this.#stopped;
  }

  async #stop(recorder: Recorder): Promise<void> {
    const { calls, shelf } = this.#options;
    const { id, participant, uri, leg } = recorder;
    await recorder.begun;
    const durationMs = recorder.begunAtMs === undefined ? 0 : performance.now() - recorder.begunAtMs;
    if (recorder.begunAtMs === undefined) {
      recorder.error ??= `was never begun: no ${[...recorder.awaited].join(' and no ')} of it came to the server`;
    } else {
      await calls.invoke(id, 'stopAndWait', {}, nothing).then(
        () => this.#tell('recording-ended', recorder),
        (error: unknown) => {
          recorder.error ??= `could not be ended: ${messageOf(error)}`;
        },
      );
    }
    calls.forget(id);
    const { error } = recorder;
    shelf.put({ participant, uri, durationMs, kinds: leg.sends, ...(error === undefined ? {} : { error }) });
  }
}

function profileOf({ sends }: Leg): string {
  if (sends.includes('audio') && sends.includes('video')) return 'WEBM';
  return sends.includes('video') ? 'WEBM_VIDEO_ONLY' : 'WEBM_AUDIO_ONLY';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
