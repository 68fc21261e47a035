import type { Leg } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { LegRecordings } from '../recordings/leg-recordings.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import { errorText, translated } from './endpoint-events.js';
import type { KurentoCalls } from './kurento-calls.js';

interface RecorderOptions {
  readonly calls: KurentoCalls;
  readonly pipeline: string;
  readonly shelf: RecordingShelf;
  readonly onEvent: (event: ServerEvent) => void;
}

/** Records what each participant of one session sends, with a RecorderEndpoint for each. */
export class SessionRecorder {
  readonly #recordings: LegRecordings;

  constructor(private readonly options: RecorderOptions) {
    this.#recordings = new LegRecordings(options.onEvent);
  }

  /** To be called before the endpoint can carry media. */
  async attach(endpoint: string, participant: string, leg: Leg, signal: AbortSignal): Promise<void> {
    if (leg.sends.length === 0) return;
    const { calls, pipeline, shelf, onEvent } = this.options;
    const uri = shelf.nextUri(participant);
    const properties = { mediaPipeline: pipeline, uri, mediaProfile: profileOf(leg) };
    const id = await calls.create('RecorderEndpoint', properties, signal);
    // A join that ends after its session: its pipeline goes with all that is in it, and nobody would forget the
    // listener.
    if (this.#recordings.isStopped) return;
    this.#recordings.add({
      participant,
      leg,
      begin: () => calls.invoke(id, 'record', {}),
      end: () => calls.invoke(id, 'stopAndWait', {}),
      put: (result) => {
        calls.forget(id);
        shelf.put({ participant, uri, kinds: leg.sends, ...result });
      },
    });
    calls.listen(id, (event) => {
      onEvent(translated(event, { of: 'recording', participant, leg: leg.id }, Date.now()));
      this.#recordings.fail(leg.id, `failed on the media server: ${errorText(event)}`);
    });
    await calls.subscribe(id, 'Error', signal);
    for (const kind of leg.sends) {
      await calls.invoke(endpoint, 'connect', { sink: id, mediaType: kind.toUpperCase() }, signal);
    }
  }

  /** Recording begins when everything that the participant sends has begun to flow. */
  onServerEvent(event: ServerEvent): void {
    this.#recordings.onServerEvent(event);
  }

  /** Ends every recording and waits until the files are whole. Never rejects: what went wrong is told with the file. */
  stop(): Promise<void> {
    return this.#recordings.stop();
  }
}

function profileOf({ sends }: Leg): string {
  if (sends.includes('audio') && sends.includes('video')) return 'WEBM';
  return sends.includes('video') ? 'WEBM_VIDEO_ONLY' : 'WEBM_AUDIO_ONLY';
}
