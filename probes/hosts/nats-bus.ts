import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { type ConnectionOptions, connect, errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type Bus, BusSilence } from './bus.js';
import { authenticators, type NatsAccess, tlsOf } from './nats-access.js';
import { packedText, unpackedText } from './nats-packing.js';

export interface NatsOptions extends NatsAccess {
  /** One address or several of one cluster, with commas between them. */
  readonly url: string;
  /** What the server calls the connection in what it tells. */
  readonly name: string;
  /** What was read of a stream is taken out of it so often; absent: every 5 s. */
  readonly clearEveryMs?: number;
  /** The words in front of the subjects that answers come to; absent: NATS' own. */
  readonly inbox?: string;
}

const connectWithinMs = 5000;
const reconnectMs = 250;
const pingMs = 3000;
/** Nothing is kept longer; a stream that a killed conductor has left is empty by then. */
const keptNs = 15 * 60 * 1_000_000_000;
/** Whoever appends again does so within this. */
const sameIdNs = 2 * 60 * 1_000_000_000;
/** The stream's server tells each so often that it is there: one that was started anew has forgotten who reads. */
const readAliveMs = 1000;
const readExpiresMs = 10_000;
const readAgainMs = 200;
/** What was read is of no more use: a run of hours would else fill the disk of the bus. */
const usualClearMs = 5000;
/** Messages asked for at once: some two seconds of what hosts tell, so that round trips hold nothing up. */
const askedAtOnce = 2000;

/** NATS: requests and services of its core, streams of JetStream. Rejects with what the server or the network said. */
export async function openNatsBus({ url, name, inbox, clearEveryMs, ...access }: NatsOptions): Promise<Bus> {
  const servers = url.split(',').map((one) => one.trim());
  const authenticator = authenticators(access);
  const tls = tlsOf(servers, access);
  const options: ConnectionOptions = {
    servers,
    name,
    ...(authenticator.length > 0 ? { authenticator } : {}),
    ...(tls ? { tls } : {}),
    ...(inbox === undefined ? {} : { inboxPrefix: inbox }),
    timeout: connectWithinMs,
    // For good: whoever uses the bus knows how long to go on without it.
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    pingInterval: pingMs,
    maxPingOut: 2,
  };
  return new NatsBus(await connect(options), clearEveryMs ?? usualClearMs);
}

class NatsBus implements Bus {
  private readonly closed = new AbortController();
  private readonly opened = new Map<string, string>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly clearEveryMs: number,
  ) {}

  get textBytesMax(): number {
    // As the server of the present connection says; the protocol's default where it does not.
    return this.connection.info?.max_payload ?? 1_048_576;
  }

  async request(subject: string, text: string, withinMs: number): Promise<string> {
    try {
      return (await this.connection.request(subject, text, { timeout: withinMs })).string();
    } catch (error) {
      throw silence(error);
    }
  }

  answer(subject: string, answered: (text: string) => Promise<string>): () => void {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) void respond(message, answered);
      },
    });
    return () => subscription.unsubscribe();
  }

  async askAll(subject: string, text: string, withinMs: number): Promise<readonly string[]> {
    const answers: string[] = [];
    try {
      const options = { strategy: 'timer', maxWait: withinMs } as const;
      for await (const message of await this.connection.requestMany(subject, text, options))
        answers.push(message.string());
    } catch (error) {
      if (!silence(error).nobodyThere) throw silence(error);
    }
    return answers;
  }

  async openStream(name: string, subject: string): Promise<void> {
    await this.addStream(name, subject);
    this.opened.set(name, subject);
  }

  private async addStream(name: string, subject: string): Promise<void> {
    const streams = (await jetstreamManager(this.connection)).streams;
    await streams.add({
      name,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      // A bus that is started anew has what was told before.
      storage: StorageType.File,
      max_age: keptNs,
      duplicate_window: sameIdNs,
    });
  }

  async closeStream(name: string): Promise<void> {
    this.opened.delete(name);
    await (await jetstreamManager(this.connection)).streams.delete(name);
  }

  async append(subject: string, text: string, id: string, withinMs: number): Promise<void> {
    try {
      const { body, ...packed } = packedText(text);
      const options = { msgID: id, timeout: withinMs, retries: 0, ...packed };
      await jetstream(this.connection).publish(subject, body, options);
    } catch (error) {
      throw silence(error);
    }
  }

  async read(name: string, onText: (text: string, subject: string) => void): Promise<() => Promise<void>> {
    const ended = new AbortController();
    let stop: (() => Promise<unknown>) | undefined;
    let next = 1;
    const clearing = setInterval(() => void this.clear(name, next), this.clearEveryMs);
    const again = async (): Promise<void> => {
      while (!ended.signal.aborted && !this.closed.signal.aborted) {
        try {
          const from = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
          const consumer = await jetstream(this.connection).consumers.get(name, from);
          const messages = await consumer.consume({
            max_messages: askedAtOnce,
            expires: readExpiresMs,
            idle_heartbeat: readAliveMs,
            abort_on_missing_resource: true,
          });
          stop = () => messages.close();
          // Who stopped while this was on its way has stopped another one.
          if (ended.signal.aborted) void stop().catch(() => undefined);
          for await (const message of messages) {
            next = message.seq + 1;
            onText(unpackedText(message, this.textBytesMax), message.subject);
          }
        } catch {
          // The bus is away for a moment. Reading goes on after the last text that has come.
          if (await this.madeAnew(name)) next = 1;
        }
        await sleep(readAgainMs, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    };
    const reading = again();
    return async () => {
      clearInterval(clearing);
      ended.abort('no longer read');
      await stop?.();
      await reading;
    };
  }

  /** Takes out what comes before. What cannot be is when the stream is closed. */
  private async clear(name: string, before: number): Promise<void> {
    try {
      if (before > 1) await (await jetstreamManager(this.connection)).streams.purge(name, { seq: before });
    } catch {
      // The bus is away for a moment, or the stream is closed.
    }
  }

  /** A bus that lost its disk lost our stream, too. What was in it unread is missing; its readers count that. */
  private async madeAnew(name: string): Promise<boolean> {
    const subject = this.opened.get(name);
    if (subject === undefined) return false;
    try {
      await (await jetstreamManager(this.connection)).streams.info(name);
      return false;
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) return false;
      return this.addStream(name, subject).then(
        () => true,
        () => false,
      );
    }
  }

  async close(): Promise<void> {
    this.closed.abort('the bus is closed');
    await this.connection.close();
  }
}

async function respond(message: Msg, answered: (text: string) => Promise<string>): Promise<void> {
  try {
    message.respond(await answered(message.string()));
  } catch {
    // Whoever asked hears nothing, and asks again or gives up.
  }
}

function silence(error: unknown): BusSilence {
  const message = error instanceof Error ? error.message : String(error);
  return new BusSilence(message, error instanceof errors.NoRespondersError || isNobody(error));
}

const isNobody = (error: unknown): boolean => error instanceof Error && error.cause instanceof errors.NoRespondersError;
