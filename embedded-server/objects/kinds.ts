import { booleanOf, type Parameters, stringOf } from '../rpc/parameters.js';
import { factoryNotFound, wrongClass } from '../rpc/rpc-error.js';
import { Composite, HubPort, hubOf } from './composite.js';
import {
  bindOperation,
  MediaObject,
  mediaObjectOperations,
  newObjectId,
  type Operation,
  type Operations,
  type ServerContext,
} from './media-object.js';
import { RecorderEndpoint } from './recorder-endpoint.js';
import type { Factories } from './server-manager.js';
import { WebRtcEndpoint } from './webrtc-endpoint.js';

export class MediaPipeline extends MediaObject {
  readonly type = 'MediaPipeline';
  readonly hierarchy = ['kurento.MediaObject'];
  readonly events = ['Error'];
  latencyStats = false;

  constructor(context: ServerContext) {
    super(context, undefined, newObjectId(undefined, 'MediaPipeline'));
    // A pipeline is a session to its clients, and what leaks is not given back when it is released.
    context.egress.shrink(context.imitation.leakShare);
  }

  protected override operation(name: string): Operation | undefined {
    return bindOperation<MediaPipeline>(pipelineOperations, this, name);
  }
}

const pipelineOperations: Operations<MediaPipeline> = {
  ...mediaObjectOperations,
  getLatencyStats: (pipeline) => pipeline.latencyStats,
  setLatencyStats: (pipeline, parameters) => {
    pipeline.latencyStats = booleanOf(parameters, 'latencyStats');
  },
  getGstreamerDot: () => 'digraph pipeline {\n}\n',
};

/** What can be created: one entry for each kind. A new kind is a file of its own and a line here. */
interface Kind {
  readonly module: keyof Factories;
  /** True when GStreamer does its work. */
  readonly mixes?: true;
  readonly create: (context: ServerContext, parameters: Parameters) => MediaObject;
}

const kinds: Readonly<Record<string, Kind>> = {
  Composite: {
    module: 'elements',
    mixes: true,
    create: (context, parameters) => new Composite(pipelineOf(context, parameters), parameters),
  },
  HubPort: { module: 'core', mixes: true, create: (context, parameters) => new HubPort(hubOf(context, parameters)) },
  MediaPipeline: { module: 'core', create: (context) => new MediaPipeline(context) },
  WebRtcEndpoint: {
    module: 'elements',
    create: (context, parameters) =>
      new WebRtcEndpoint(pipelineOf(context, parameters), parameters.useDataChannels === true),
  },
  RecorderEndpoint: {
    module: 'elements',
    create: (context, parameters) => new RecorderEndpoint(pipelineOf(context, parameters), parameters),
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
  if (kind === undefined || (kind.mixes === true && !context.canMix)) throw factoryNotFound(type);
  return kind.create(context, parameters);
}

/** What this server can create, as ServerManager.getInfo lists it: without GStreamer no Composite and no HubPort. */
export function factories(canMix: boolean): Factories {
  const of = (module: keyof Factories): string[] =>
    Object.keys(kinds)
      .filter((name) => kinds[name]?.module === module && (canMix || kinds[name]?.mixes !== true))
      .sort();
  return { core: of('core'), elements: of('elements'), filters: of('filters') };
}
