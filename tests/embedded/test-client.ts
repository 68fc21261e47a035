import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';

const frameSchema = z.record(z.string(), z.unknown());
const eventSchema = z.object({ value: z.object({ type: z.string(), object: z.string(), data: frameSchema }) });
export type RpcFrame = z.infer<typeof frameSchema>;

/** A bare client for tests: frames out, replies and events in. */
export class TestClient {
  readonly socket: WebSocket;
  readonly events: RpcFrame[] = [];
  readonly #waiting = new Map<unknown, (reply: RpcFrame) => void>();
  #nextId = 10_000;
  sessionId: string | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const frame = frameSchema.parse(JSON.parse(String(data)));
      const waiting = this.#waiting.get(frame.id);
      this.#waiting.delete(frame.id);
      if (waiting === undefined) this.events.push(frame);
      else waiting(frame);
    });
    socket.on('error', () => {});
  }

  static async open(url: string): Promise<TestClient> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new TestClient(socket);
  }

  /** Sends a whole frame; resolves with the reply of its id (`null` for frames that have none). */
  exchange(frame: unknown): Promise<RpcFrame> {
    const parsed = frameSchema.safeParse(frame);
    const id = parsed.success && parsed.data.method !== undefined ? (parsed.data.id ?? null) : null;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.socket.send(JSON.stringify(frame));
    });
  }

  /** Calls a method in this client's session. Rejects with the error's message. */
  async call(method: string, params: RpcFrame): Promise<RpcFrame> {
    const id = this.#nextId++;
    const session = this.sessionId === undefined ? {} : { sessionId: this.sessionId };
    const reply = await this.exchange({ jsonrpc: '2.0', id, method, params: { ...params, ...session } });
    if (reply.error !== undefined) throw new Error(JSON.stringify(reply.error));
    const result = frameSchema.parse(reply.result ?? {});
    if (typeof result.sessionId === 'string') this.sessionId = result.sessionId;
    return result;
  }

  async create(type: string, constructorParams: RpcFrame = {}): Promise<string> {
    return z.string().parse((await this.call('create', { type, constructorParams })).value);
  }

  async invoke(object: string, operation: string, operationParams: RpcFrame = {}): Promise<unknown> {
    return (await this.call('invoke', { object, operation, operationParams })).value;
  }

  /** The data of the events of one type, in order; of one object, if given. */
  eventsOf(type: string, object?: string): RpcFrame[] {
    return this.events.flatMap((event) => {
      const { value } = eventSchema.parse(event.params);
      return value.type === type && (object === undefined || value.object === object) ? [value.data] : [];
    });
  }

  /** Resolves when such an event has come. Rejects after `boundMs`. */
  async waitForEvent(type: string, object?: string, boundMs = 5000): Promise<void> {
    const untilMs = performance.now() + boundMs;
    while (this.eventsOf(type, object).length === 0) {
      if (performance.now() > untilMs) throw new Error(`no ${type} in ${boundMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  close(): void {
    this.socket.close();
  }
}
