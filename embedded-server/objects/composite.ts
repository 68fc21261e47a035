import type { MediaKind } from '../../model/scenario.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { compositeFormat } from '../mixing/mixer-pipeline.js';
import { Room, type Seat } from '../mixing/room.js';
import { type Parameters, stringOf } from '../rpc/parameters.js';
import { wrongClass } from '../rpc/rpc-error.js';
import { MediaElement, mediaElementEvents, mediaElementOperations } from './media-element.js';
import {
  bindOperation,
  MediaObject,
  mediaObjectOperations,
  newObjectId,
  type Operation,
  type Operations,
  type ServerContext,
} from './media-object.js';

/** GStreamer's STREAM_ERROR_FAILED, as Kurento numbers the error of an element that stopped working. */
const mixerDied = 1;

/**
 * Kurento's Composite: mixes what its ports send into one grid picture and a sound for each. `width`, `height` and
 * `framerate` are the optional constructor parameters of Kurento 7.3; 800×600 at 15 frames a second without them,
 * unless the server was told another rate.
 */
export class Composite extends MediaObject {
  readonly type = 'Composite';
  readonly hierarchy = ['kurento.Hub', 'kurento.MediaObject'];
  readonly events = ['Error'];
  readonly room: Room;

  constructor(parent: MediaObject, parameters: Parameters) {
    super(parent.context, parent, newObjectId(parent, 'Composite'));
    const number = (name: string, otherwise: number): number => {
      const value = parameters[name];
      return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : otherwise;
    };
    const format = {
      ...compositeFormat,
      width: number('width', compositeFormat.width),
      height: number('height', compositeFormat.height),
      framesPerSecond: number('framerate', this.context.imitation.mixFps),
    };
    const { clock, egress } = this.context;
    this.room = new Room({ clock, keyFrameTurns: egress.keyFrameTurns }, (detail) => this.#die(detail), format);
  }

  /** A dead mixer ends this room and no other: its objects say so and stay until they are released. */
  #die(detail: string): void {
    for (const object of [this, ...this.children, this.pipeline()]) {
      object.emitError('MIXER_DIED', mixerDied, `The mixer of this room ended: ${detail}`);
    }
  }

  protected override operation(name: string): Operation | undefined {
    return bindOperation<Composite>(compositeOperations, this, name);
  }

  override async dispose(): Promise<void> {
    await this.room.close();
    await super.dispose();
  }
}

const compositeOperations: Operations<Composite> = {
  ...mediaObjectOperations,
  getGstreamerDot: () => 'digraph pipeline {\n}\n',
};

/** Kurento's HubPort: one member's place in a Composite, a sink for what it sends and a source of the mix. */
export class HubPort extends MediaElement {
  readonly type = 'HubPort';
  readonly hierarchy = ['kurento.MediaElement', 'kurento.MediaObject'];
  readonly events = mediaElementEvents;
  readonly #seat: Seat;

  constructor(hub: Composite) {
    super(hub.context, hub, newObjectId(hub, 'HubPort'));
    this.#seat = hub.room.enter();
  }

  override output(kind: MediaKind): MediaOutput {
    return this.#seat.outputs[kind];
  }

  override input(kind: MediaKind): MediaInput {
    return this.#seat.inputs[kind];
  }

  protected override operation(name: string): Operation | undefined {
    return bindOperation<HubPort>(hubPortOperations, this, name);
  }

  override async dispose(): Promise<void> {
    this.#seat.leave();
    await super.dispose();
  }
}

const hubPortOperations: Operations<HubPort> = {
  ...mediaElementOperations,
  isMediaTranscoding: () => true,
  getStats: () => null,
};

export function hubOf(context: ServerContext, parameters: Parameters): Composite {
  const hub = context.find(stringOf(parameters, 'hub'));
  if (!(hub instanceof Composite)) throw wrongClass();
  return hub;
}
