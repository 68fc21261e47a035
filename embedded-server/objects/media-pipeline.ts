import { booleanOf } from '../rpc/parameters.js';
import {
  bindOperation,
  MediaObject,
  mediaObjectOperations,
  newObjectId,
  type Operation,
  type Operations,
  type ServerContext,
} from './media-object.js';

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
