import type { MediaKind } from '../../model/scenario.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { Recording } from '../recording/recording.js';
import { recordingPath } from '../recording/recording-place.js';
import { WebmFile } from '../recording/webm-file.js';
import { optionalStringOf, type Parameters, stringOf } from '../rpc/parameters.js';
import { MediaElement, mediaElementEvents, mediaElementOperations } from './media-element.js';
import { bindOperation, type MediaObject, newObjectId, type Operation, type Operations } from './media-object.js';

type RecorderState = 'START' | 'PAUSE' | 'STOP';

/** GStreamer's codes, as Kurento passes them on for a file that cannot be opened. */
const resourceErrorOpen = 6;
const stateChangeFailed = 4;

/** Kurento's RecorderEndpoint: writes what is connected to it into a WebM file, VP8 and Opus as they came. */
export class RecorderEndpoint extends MediaElement {
  readonly type = 'RecorderEndpoint';
  readonly hierarchy = ['kurento.UriEndpoint', 'kurento.Endpoint', 'kurento.MediaElement', 'kurento.MediaObject'];
  readonly events = [...mediaElementEvents, 'UriEndpointStateChanged', 'Recording', 'Paused', 'Stopped'];
  readonly uri: string;
  readonly #inputs: Readonly<Record<MediaKind, MediaInput>>;
  #recording: Recording | undefined;
  #videoSource: MediaOutput | undefined;
  state: RecorderState = 'STOP';

  constructor(parent: MediaObject, parameters: Parameters) {
    super(parent.context, parent, newObjectId(parent, 'RecorderEndpoint'));
    this.uri = stringOf(parameters, 'uri');
    this.#inputs = { audio: this.#newInput('audio', 'opus'), video: this.#newInput('video', 'vp8') };
    const profile = optionalStringOf(parameters, 'mediaProfile');
    this.#profile = profile === undefined || profile === 'WEBM' ? undefined : profile;
  }

  /** A profile other than WEBM, which this server does not write. */
  readonly #profile: string | undefined;

  #newInput(kind: MediaKind, codecName: string): MediaInput {
    return {
      kind,
      maxKbps: 0,
      unwatched: true,
      receive: (packet, codec, from, nowMs) => {
        if (kind === 'video') this.#noteSource(from);
        if (this.state === 'START' && codec.startsWith(codecName)) this.#recording?.receive(kind, packet, nowMs);
      },
    };
  }

  #noteSource(from: MediaOutput): void {
    if (this.#videoSource === from) return;
    this.#videoSource = from;
    from.requestKeyFrame();
  }

  override output(): undefined {
    return undefined;
  }

  override input(kind: MediaKind): MediaInput {
    return this.#inputs[kind];
  }

  protected override operation(name: string): Operation | undefined {
    return bindOperation<RecorderEndpoint>(recorderOperations, this, name);
  }

  /** A file that cannot be opened is an Error event, not a refusal, as in Kurento. */
  async record(): Promise<void> {
    if (this.state === 'START') return;
    try {
      if (this.#profile !== undefined) throw new Error(`mediaProfile ${this.#profile} is not supported, only WEBM`);
      this.#recording ??= this.#newRecording(await WebmFile.create(recordingPath(this.context.recordIn, this.uri)));
    } catch (error) {
      this.#emitFailure('RESOURCE_ERROR_OPEN', error);
      // Kurento's pipeline then fails to start, which is a second event.
      this.emitError('UNEXPECTED_ELEMENT_ERROR', stateChangeFailed, 'state change failed');
      return;
    }
    this.#enter('START');
    this.emit('Recording');
    this.#videoSource?.requestKeyFrame();
  }

  #newRecording(file: WebmFile): Recording {
    return new Recording(file, {
      onKeyFrameNeeded: () => this.#videoSource?.requestKeyFrame(),
      onFailed: (error) => this.#emitFailure('RESOURCE_ERROR_WRITE', error),
    });
  }

  pause(): void {
    if (this.state !== 'START') return;
    this.#recording?.pause();
    this.#enter('PAUSE');
    this.emit('Paused');
  }

  async stop(): Promise<void> {
    if (this.state === 'STOP') return;
    this.#enter('STOP');
    const recording = this.#recording;
    this.#recording = undefined;
    try {
      await recording?.close();
    } catch (error) {
      this.#emitFailure('RESOURCE_ERROR_WRITE', error);
    }
    this.emit('Stopped');
  }

  #emitFailure(type: string, error: unknown): void {
    this.emitError(type, resourceErrorOpen, error instanceof Error ? error.message : String(error));
  }

  #enter(state: RecorderState): void {
    this.state = state;
    this.emit('UriEndpointStateChanged', { state });
  }

  override async dispose(): Promise<void> {
    await this.stop();
    await super.dispose();
  }
}

const recorderOperations: Operations<RecorderEndpoint> = {
  ...mediaElementOperations,
  record: (recorder) => recorder.record(),
  pause: (recorder) => recorder.pause(),
  stop: (recorder) => recorder.stop(),
  stopAndWait: (recorder) => recorder.stop(),
  getState: (recorder) => recorder.state,
  getUri: (recorder) => recorder.uri,
};
