/** What probe hosts and conductor need of the bus. NATS is the one there is; tests have one in memory. */
export interface Bus {
  /** No text that goes over it may have more bytes. */
  readonly textBytesMax: number;
  /** Rejects with `BusSilence` when nobody listens, nobody answers in time, or the way to the bus is cut. */
  request(subject: string, text: string, withinMs: number): Promise<string>;
  /** Answers each request on the subject. An answer that rejects is none. Returns what ends it. */
  answer(subject: string, answered: (text: string) => Promise<string>): () => void;
  /** Every answer that comes within the time: who listens, answers. None where nobody listens. */
  askAll(subject: string, text: string, withinMs: number): Promise<readonly string[]>;
  /** Makes a stream, which keeps what is appended to its subject until it is closed. */
  openStream(name: string, subject: string): Promise<void>;
  closeStream(name: string): Promise<void>;
  /**
   * Resolves when the stream has it. One with the id of an earlier one is not taken a second time, so that whoever does
   * not know whether a text has arrived appends it again.
   */
  append(subject: string, text: string, id: string, withinMs: number): Promise<void>;
  /**
   * Each text of the stream, and the subject that it was appended to, in the order in which it came, also after the way
   * to the bus was cut. Returns what ends it.
   */
  read(name: string, onText: (text: string, subject: string) => void): Promise<() => Promise<void>>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** A request without an answer: whether it has arrived, nobody knows. */
export class BusSilence extends Error {
  constructor(
    message: string,
    /** Nobody listens on the subject, as the bus says. */
    readonly nobodyThere = false,
  ) {
    super(message);
    this.name = 'BusSilence';
  }
}
