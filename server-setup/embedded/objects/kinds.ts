import { type Parameters, stringOf } from '../rpc/parameters.js';
import { factoryNotFound, wrongClass } from '../rpc/rpc-error.js';
import type { MediaObject, ServerContext } from './media-object.js';
import { MediaPipeline } from './media-pipeline.js';
import type { Factories } from './server-manager.js';
import { WebRtcEndpoint } from './webrtc-endpoint.js';

/** What can be created: one entry for each kind. A new kind is a file of its own and a line here. */
interface Kind {
  readonly module: keyof Factories;
  readonly create: (context: ServerContext, parameters: Parameters) => MediaObject;
}

const kinds: Readonly<Record<string, Kind>> = {
  MediaPipeline: { module: 'core', create: (context) => new MediaPipeline(context) },
  WebRtcEndpoint: {
    module: 'elements',
    create: (context, parameters) => new WebRtcEndpoint(pipelineOf(context, parameters)),
  },
};

function pipelineOf(context: ServerContext, parameters: Parameters): MediaPipeline {
  const object = context.find(stringOf(parameters, 'mediaPipeline'));
  if (!(object instanceof MediaPipeline)) throw wrongClass();
  return object;
}

/** Creates by type name, with or without the module: `WebRtcEndpoint`, `kurento.WebRtcEndpoint`. */
export function createObject(context: ServerContext, type: string, parameters: Parameters): MediaObject {
  const name = type.replace(/^kurento\./, '');
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) throw factoryNotFound(type);
  return kind.create(context, parameters);
}

export function factories(): Factories {
  const of = (module: keyof Factories): string[] =>
    Object.keys(kinds)
      .filter((name) => kinds[name]?.module === module)
      .sort();
  return { core: of('core'), elements: of('elements'), filters: of('filters') };
}
