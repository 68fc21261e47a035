import { objectNotFound } from '../rpc/rpc-error.js';
import type { MediaObject } from './media-object.js';

/** All objects by id. An object is released together with its children; parents are told last. */
export class ObjectStore {
  readonly #objects = new Map<string, MediaObject>();
  readonly #onDestroyed: (object: MediaObject) => void;

  constructor(onDestroyed: (object: MediaObject) => void) {
    this.#onDestroyed = onDestroyed;
  }

  add(object: MediaObject): void {
    this.#objects.set(object.id, object);
  }

  /** Throws 40101 when there is none. */
  find(id: string): MediaObject {
    const object = this.#objects.get(id);
    if (object === undefined) throw objectNotFound(id);
    return object;
  }

  has(id: string): boolean {
    return this.#objects.has(id);
  }

  ofType(type: string): MediaObject[] {
    return [...this.#objects.values()].filter((object) => object.type === type);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** An unknown id counts as released already. Resolves when sockets are closed; the objects are unknown at once. */
  async release(id: string): Promise<void> {
    const object = this.#objects.get(id);
    if (object === undefined) return;
    const disposals = this.#forget(object);
    await Promise.allSettled(disposals.map((dispose) => dispose()));
  }

  #forget(object: MediaObject): (() => Promise<void>)[] {
    const disposals = [...object.children].flatMap((child) => this.#forget(child));
    this.#objects.delete(object.id);
    this.#onDestroyed(object);
    return [...disposals, () => object.dispose()];
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#objects.keys()].map((id) => this.release(id)));
  }
}
