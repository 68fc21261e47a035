import type { MediaKind } from '../../model/scenario.js';
import type { Messages } from '../media/messages.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { type Parameters, stringOf } from '../rpc/parameters.js';
import { connectError, wrongClass, wrongParameter } from '../rpc/rpc-error.js';
import { MediaObject, mediaObjectOperations, type Operations } from './media-object.js';

/** Kurento's media types. Of DATA the source looks up its sinks for each message. */
const mediaTypes = ['AUDIO', 'DATA', 'VIDEO'] as const;
type MediaType = (typeof mediaTypes)[number];

function kindOf(type: MediaType): MediaKind | undefined {
  if (type === 'AUDIO') return 'audio';
  return type === 'VIDEO' ? 'video' : undefined;
}

/** Events that every element may send. */
export const mediaElementEvents: readonly string[] = [
  'Error',
  'ElementConnected',
  'ElementDisconnected',
  'MediaFlowInStateChanged',
  'MediaFlowOutStateChanged',
  'MediaTranscodingStateChanged',
];

/** An element of a pipeline that can be connected to others. */
export abstract class MediaElement extends MediaObject {
  /** Who feeds this element, by media type. At most one each. */
  readonly #sources = new Map<MediaType, MediaElement>();
  /** What comes over its data channels; absent where it has none. */
  messages: Messages | undefined;
  readonly #sinks = new Map<MediaType, Set<MediaElement>>();

  abstract output(kind: MediaKind): MediaOutput | undefined;
  abstract input(kind: MediaKind): MediaInput | undefined;
  isFlowing(_flow: 'in' | 'out', _kind: MediaKind): boolean {
    return false;
  }
  /** Called when this element's output has a new sink. */
  protected onConnected(_kind: MediaKind): void {}

  connect(sink: MediaElement, type: MediaType): void {
    if (sink.pipeline() !== this.pipeline()) throw connectError('Media elements do not share pipeline');
    sink.#sources.get(type)?.disconnect(sink, type);
    sink.#sources.set(type, this);
    const sinks = this.#sinks.get(type) ?? new Set();
    this.#sinks.set(type, sinks.add(sink));
    const kind = kindOf(type);
    if (kind !== undefined) this.#attach(sink, kind);
  }

  #attach(sink: MediaElement, kind: MediaKind): void {
    const input = sink.input(kind);
    if (input === undefined) return;
    this.output(kind)?.attach(input);
    this.onConnected(kind);
  }

  disconnect(sink: MediaElement, type: MediaType): void {
    if (sink.#sources.get(type) !== this) return;
    sink.#sources.delete(type);
    this.#sinks.get(type)?.delete(sink);
    const kind = kindOf(type);
    const input = kind === undefined ? undefined : sink.input(kind);
    if (kind !== undefined && input !== undefined) this.output(kind)?.detach(input);
  }

  /** Joins connections made before the inputs or outputs of this element existed. */
  protected attachAll(): void {
    for (const [type, source] of this.#sources) {
      const kind = kindOf(type);
      if (kind !== undefined) source.#attach(this, kind);
    }
    for (const [type, sinks] of this.#sinks) {
      const kind = kindOf(type);
      if (kind !== undefined) for (const sink of sinks) this.#attach(sink, kind);
    }
  }

  sourceOf(type: MediaType): MediaElement | undefined {
    return this.#sources.get(type);
  }

  sinksOf(type: MediaType): readonly MediaElement[] {
    return [...(this.#sinks.get(type) ?? [])];
  }

  disconnectAll(): void {
    for (const [type, source] of [...this.#sources]) source.disconnect(this, type);
    for (const [type, sinks] of this.#sinks) for (const sink of [...sinks]) this.disconnect(sink, type);
  }

  override async dispose(): Promise<void> {
    this.disconnectAll();
    await super.dispose();
  }
}

function typesOf(parameters: Parameters): readonly MediaType[] {
  const asked = parameters.mediaType;
  if (asked === undefined) return mediaTypes;
  const found = mediaTypes.find((type) => type === asked);
  if (found === undefined) throw wrongParameter('mediaType', 'string');
  return [found];
}

function kindParameter(parameters: Parameters): MediaKind {
  return stringOf(parameters, 'mediaType') === 'AUDIO' ? 'audio' : 'video';
}

function sinkOf(element: MediaElement, parameters: Parameters): MediaElement {
  const sink = element.context.find(stringOf(parameters, 'sink'));
  if (!(sink instanceof MediaElement)) throw wrongClass();
  return sink;
}

function connection(source: MediaElement, sink: MediaElement, type: MediaType): Parameters {
  return {
    __module__: 'kurento',
    __type__: 'ElementConnectionData',
    sink: sink.id,
    sinkDescription: 'default',
    source: source.id,
    sourceDescription: 'default',
    type,
  };
}

export const mediaElementOperations: Operations<MediaElement> = {
  ...mediaObjectOperations,
  connect: (element, parameters) => {
    const sink = sinkOf(element, parameters);
    for (const type of typesOf(parameters)) element.connect(sink, type);
  },
  disconnect: (element, parameters) => {
    const sink = sinkOf(element, parameters);
    for (const type of typesOf(parameters)) element.disconnect(sink, type);
  },
  getSourceConnections: (element, parameters) =>
    typesOf(parameters).flatMap((type) => {
      const source = element.sourceOf(type);
      return source === undefined ? [] : [connection(source, element, type)];
    }),
  getSinkConnections: (element, parameters) =>
    typesOf(parameters).flatMap((type) => element.sinksOf(type).map((sink) => connection(element, sink, type))),
  isMediaFlowingIn: (element, parameters) => element.isFlowing('in', kindParameter(parameters)),
  isMediaFlowingOut: (element, parameters) => element.isFlowing('out', kindParameter(parameters)),
  // Media is forwarded as it came, always.
  isMediaTranscoding: () => false,
  getMinEncoderBitrate: () => 0,
  getMaxEncoderBitrate: () => 2_147_483_647,
  getEncoderBitrate: () => 300_000,
};
