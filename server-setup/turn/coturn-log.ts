import type { TurnUsage } from '../../model/turn.js';

/** The user that asks whether the server is there: its allocation is nobody's. */
export const checkUser = 'check';

interface Session {
  readonly user: string;
  bytesFromProbe: number;
  bytesToProbe: number;
  open: boolean;
}

/**
 * Counts by what coturn 4 writes with `verbose`: `session 0…3: new, …, username=<expiry:user>, …` for each address
 * that it gave, `usage: … rb=…, sb=…` for what went through since the last such line, `closed (2nd stage)` at the end.
 */
export class CoturnLog {
  readonly #sessions = new Map<string, Session>();
  #refused = 0;
  #atOnce = 0;

  line(text: string): void {
    const [, id = '', said = ''] = /session (\d+): (.+)$/.exec(text) ?? [];
    if (said.startsWith('new, ')) this.#opened(id, said);
    else if (said.startsWith('usage: ')) this.#used(id, said);
    else if (said.startsWith('closed (2nd stage)')) this.#closed(id);
    else if (/ALLOCATE processed, error (?!401|438)\d+/.test(said)) this.#refused += 1;
  }

  get open(): number {
    return this.#own().filter((session) => session.open).length;
  }

  usage(): TurnUsage {
    const own = this.#own();
    return {
      allocations: own.length,
      refused: this.#refused,
      allocationsAtOnceMax: this.#atOnce,
      bytesFromProbes: own.reduce((sum, { bytesFromProbe }) => sum + bytesFromProbe, 0),
      bytesToProbes: own.reduce((sum, { bytesToProbe }) => sum + bytesToProbe, 0),
      complete: this.open === 0,
    };
  }

  #opened(id: string, said: string): void {
    const user = /username=<\d+:([^>]*)>/.exec(said)?.[1] ?? '';
    this.#sessions.set(id, { user, bytesFromProbe: 0, bytesToProbe: 0, open: true });
    this.#atOnce = Math.max(this.#atOnce, this.open);
  }

  #used(id: string, said: string): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    session.bytesFromProbe += Number(/\brb=(\d+)/.exec(said)?.[1] ?? 0);
    session.bytesToProbe += Number(/\bsb=(\d+)/.exec(said)?.[1] ?? 0);
  }

  #closed(id: string): void {
    const session = this.#sessions.get(id);
    if (session) session.open = false;
  }

  #own(): readonly Session[] {
    return [...this.#sessions.values()].filter(({ user }) => user !== checkUser);
  }
}
