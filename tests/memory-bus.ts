import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, BusSilence } from '../probes/hosts/bus.js';

interface Stream {
  readonly subject: RegExp;
  readonly ids: Set<string>;
  readonly texts: { readonly text: string; readonly subject: string }[];
  readonly readers: Set<(text: string, subject: string) => void>;
}

/** Tests do not wait for longer, whoever would. */
const mostMs = 300;

type Answered = (text: string) => Promise<string>;

/** A bus in memory. Each client of it may be cut off for a while, as by a network or by a bus that is started anew. */
export class MemoryBus {
  private readonly listeners = new Map<string, Set<Answered>>();
  private readonly streams = new Map<string, Stream>();
  /** What has been asked, for tests that look. */
  readonly asked: { readonly subject: string; readonly text: string }[] = [];
  /** What any stream was given to keep. */
  readonly appended: string[] = [];

  /** `loses` says of each text that is appended whether its receipt is lost, so that it is sent again. */
  client({
    textBytesMax = 1_048_576,
    loses = () => false,
  }: {
    textBytesMax?: number;
    loses?: () => boolean;
  } = {}): MemoryClient {
    return new MemoryClient(this.listeners, this.streams, this, textBytesMax, loses);
  }
}

export class MemoryClient implements Bus {
  isCut = false;

  constructor(
    private readonly listeners: Map<string, Set<Answered>>,
    private readonly streams: Map<string, Stream>,
    private readonly seen: Pick<MemoryBus, 'asked' | 'appended'>,
    readonly textBytesMax: number,
    private readonly loses: () => boolean,
  ) {}

  async request(subject: string, text: string, withinMs: number): Promise<string> {
    this.seen.asked.push({ subject, text });
    if (this.isCut) await this.late(withinMs);
    const [answered] = this.listeners.get(subject) ?? [];
    if (!answered) throw new BusSilence(`nobody listens on ${subject}`, true);
    const answer = await Promise.race([answered(text), this.never(withinMs)]);
    if (this.isCut) await this.late(0);
    return answer;
  }

  answer(subject: string, answered: Answered): () => void {
    const reachable: Answered = async (text) => (this.isCut ? new Promise<string>(() => undefined) : answered(text));
    const all = this.listeners.get(subject) ?? new Set();
    this.listeners.set(subject, all.add(reachable));
    return () => all.delete(reachable);
  }

  async askAll(subject: string, text: string): Promise<readonly string[]> {
    return Promise.all([...(this.listeners.get(subject) ?? [])].map((answered) => answered(text)));
  }

  async openStream(name: string, subject: string): Promise<void> {
    const pattern = new RegExp(`^${subject.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);
    this.streams.set(name, { subject: pattern, ids: new Set(), texts: [], readers: new Set() });
  }

  async closeStream(name: string): Promise<void> {
    this.streams.delete(name);
  }

  async append(subject: string, text: string, id: string, withinMs: number): Promise<void> {
    if (this.isCut) await this.late(withinMs);
    const stream = [...this.streams.values()].find((one) => one.subject.test(subject));
    if (!stream) throw new BusSilence('no stream', true);
    if (!stream.ids.has(id)) {
      stream.ids.add(id);
      this.seen.appended.push(text);
      stream.texts.push({ text, subject });
      for (const reader of stream.readers) reader(text, subject);
    }
    if (this.loses()) throw new BusSilence('the receipt was lost');
  }

  async read(name: string, onText: (text: string, subject: string) => void): Promise<() => Promise<void>> {
    const stream = this.streams.get(name);
    for (const { text, subject } of stream?.texts ?? []) onText(text, subject);
    stream?.readers.add(onText);
    return async () => void stream?.readers.delete(onText);
  }

  async close(): Promise<void> {
    this.isCut = true;
  }

  private async never(ms: number): Promise<never> {
    await sleep(ms, undefined, { ref: false });
    throw new BusSilence('nobody answered in time');
  }

  private async late(ms: number): Promise<never> {
    await sleep(Math.min(ms, mostMs), undefined, { ref: false });
    throw new BusSilence('nobody answered in time');
  }
}
