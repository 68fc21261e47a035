import { randomUUID } from 'node:crypto';
import type { MediaKind } from '../../model/scenario.js';
import type { Clock, Egress } from '../../rtp/egress.js';
import type { AnswerRate } from '../answer-rate.js';
import type { ColdStart } from '../cold-start.js';
import type { Imitation } from '../imitation.js';
import type { Misled } from '../media/misled-streams.js';
import { type Parameters, stringOf } from '../rpc/parameters.js';
import { operationNotFound } from '../rpc/rpc-error.js';

/** What every object may use of the server it lives in. */
export interface ServerContext {
  readonly host: string;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly maxVideoKbps: number;
  /** Whether senders are told what receivers and their own way here were estimated to carry. */
  readonly followEstimates: boolean;
  readonly imitation: Imitation;
  /** A fault on purpose. */
  readonly misled: Misled;
  readonly coldStart: ColdStart;
  readonly answerRate: AnswerRate;
  /** Whether GStreamer is here, without which there are no mixed rooms. */
  readonly canMix: boolean;
  /** Loadline's own version; absent where a test starts the server. */
  readonly version?: string;
  /** The one folder that recorders write into; absent where there is none. */
  readonly recordIn?: string;
  readonly onReceived: (bytes: number) => void;
  emit(object: MediaObject, type: string, data: Parameters): void;
  /** Throws 40101 when there is no such object. */
  find(id: string): MediaObject;
  remove(object: MediaObject): void;
  readonly pipelines: () => readonly string[];
  readonly sessions: () => readonly string[];
}

export type Operation = (parameters: Parameters) => unknown;
/** The operations of one kind, by Kurento's names. Void ones return nothing, which goes out as `null`. */
export type Operations<T> = Readonly<Record<string, (object: T, parameters: Parameters) => unknown>>;

export function bindOperation<T>(table: Operations<T>, object: T, name: string): Operation | undefined {
  const operation = Object.hasOwn(table, name) ? table[name] : undefined;
  return operation === undefined ? undefined : (parameters) => operation(object, parameters);
}

/** Kurento's MediaObject: an identity, a place in the tree, a name, tags and events. */
export abstract class MediaObject {
  readonly id: string;
  readonly context: ServerContext;
  readonly parent: MediaObject | undefined;
  readonly children = new Set<MediaObject>();
  readonly tags = new Map<string, string>();
  readonly creationTimeS: number;
  name: string;
  sendTagsInEvents = false;
  /** Kurento's class name without module. */
  abstract readonly type: string;
  /** Base classes, nearest first, with module. */
  abstract readonly hierarchy: readonly string[];
  abstract readonly events: readonly string[];

  constructor(context: ServerContext, parent: MediaObject | undefined, id: string) {
    this.context = context;
    this.parent = parent;
    this.id = id;
    this.name = id;
    this.creationTimeS = Math.floor(context.clock.nowMs() / 1000);
    parent?.children.add(this);
  }

  protected abstract operation(name: string): Operation | undefined;

  async invoke(name: string, parameters: Parameters): Promise<unknown> {
    const operation = this.operation(name);
    if (operation === undefined) throw operationNotFound(name, Object.keys(parameters).length);
    return (await operation(parameters)) ?? null;
  }

  emit(type: string, data: Parameters = {}): void {
    const tags = this.sendTagsInEvents ? this.tagList() : [];
    const timestampMillis = String(Math.floor(this.context.clock.nowMs()));
    this.context.emit(this, type, { ...data, source: this.id, tags, timestampMillis, type });
  }

  emitError(type: string, errorCode: number, description: string): void {
    const tags = this.sendTagsInEvents ? this.tagList() : [];
    const timestampMillis = String(Math.floor(this.context.clock.nowMs()));
    this.context.emit(this, 'Error', { description, errorCode, source: this.id, tags, timestampMillis, type });
  }

  tagList(): readonly Parameters[] {
    return [...this.tags].map(([key, value]) => ({ __module__: 'kurento', __type__: 'Tag', key, value }));
  }

  pipeline(): MediaObject {
    return this.parent === undefined ? this : this.parent.pipeline();
  }

  /** Frees what the object holds. The server has already forgotten it and its children. */
  async dispose(): Promise<void> {
    this.parent?.children.delete(this);
  }
}

export function newObjectId(parent: MediaObject | undefined, type: string): string {
  const own = `${randomUUID()}_kurento.${type}`;
  return parent === undefined ? own : `${parent.id}/${own}`;
}

export const mediaObjectOperations: Operations<MediaObject> = {
  getId: (object) => object.id,
  getName: (object) => object.name,
  setName: (object, parameters) => {
    object.name = stringOf(parameters, 'name');
  },
  getParent: (object) => object.parent?.id ?? null,
  getMediaPipeline: (object) => object.pipeline().id,
  getChildren: (object) => [...object.children].map((child) => child.id),
  getChilds: (object) => [...object.children].map((child) => child.id),
  getCreationTime: (object) => object.creationTimeS,
  getSendTagsInEvents: (object) => object.sendTagsInEvents,
  setSendTagsInEvents: (object, parameters) => {
    object.sendTagsInEvents = parameters.sendTagsInEvents === true;
  },
  addTag: (object, parameters) => {
    object.tags.set(stringOf(parameters, 'key'), stringOf(parameters, 'value'));
  },
  removeTag: (object, parameters) => {
    object.tags.delete(stringOf(parameters, 'key'));
  },
  getTag: (object, parameters) => object.tags.get(stringOf(parameters, 'key')) ?? '',
  getTags: (object) => object.tagList(),
};

export const mediaKinds: readonly MediaKind[] = ['audio', 'video'];
