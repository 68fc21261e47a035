import type { BrowserContext } from 'playwright-core';
import { LoadlineError } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import { mayNameSecret, redacted } from '../../model/secrets.js';

/** Who logs in: a row of the file of `--users`, by its columns; without one, nobody in particular. */
export type User = Readonly<Record<string, string>>;

export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A shorter value may stand in any text by chance: "en", "true". */
const shortestSecret = 8;

/**
 * What each identity has once it has logged in, for as long as the command runs. It is kept in memory alone, and its
 * values are taken out of what is stored of pages.
 */
export class LogIns {
  private readonly states = new Map<number, Promise<BrowserState>>();
  private secrets: readonly string[];

  constructor(private readonly users: readonly User[] = []) {
    const named = users.flatMap((user) => Object.entries(user).filter(([name]) => mayNameSecret(name)));
    this.secrets = longestFirst(named.map(([, value]) => value));
  }

  /** Of so many participants of one trial, each has a user of its own. Throws E_USAGE. */
  assertFor(participants: number): void {
    if (this.users.length === 0 || participants <= this.users.length) return;
    throw new LoadlineError('E_USAGE', `--users has ${this.users.length} users for ${participants} participants.`, {
      where: '--users',
      why: 'each participant of a trial is another user: an app may send one away who comes twice',
      todo: 'name more users, or give a smaller --max, --size or --room-size',
    });
  }

  /** Of the participant of a trial that has this place in it, from 0. */
  userOf(nth: number): User {
    this.assertFor(nth + 1);
    return this.users[nth] ?? {};
  }

  /** What this participant is called where it logs in. */
  nameOf(nth: number): string {
    return this.users.length === 0 ? 'the one identity' : `user ${nth + 1} of --users`;
  }

  /** Undefined where nobody logs in. */
  knownOf(nth: number): Promise<BrowserState> | undefined {
    return this.states.get(this.identityOf(nth));
  }

  private identityOf(nth: number): number {
    return this.users.length === 0 ? 0 : nth;
  }

  /** Logs in once for each identity; who fails may try again in the next trial. */
  async stateOf(nth: number, logIn: () => Promise<BrowserState>): Promise<BrowserState> {
    const identity = this.identityOf(nth);
    const found = this.states.get(identity);
    if (found) return found;
    const made = logIn();
    this.states.set(identity, made);
    try {
      const state = await made;
      this.secrets = longestFirst([...this.secrets, ...valuesIn(state)]);
      return state;
    } catch (error) {
      this.states.delete(identity);
      throw error;
    }
  }

  /** A text without what users and their states hold. */
  clean(text: string): string {
    return this.secrets.reduce((clean, secret) => clean.replaceAll(secret, redacted), text);
  }
}

function longestFirst(values: readonly string[]): readonly string[] {
  const spelled = values.flatMap((value) => [value, encodeURIComponent(value), decoded(value)]);
  return [...new Set(spelled)].filter((value) => value.length > 0).sort((one, other) => other.length - one.length);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Every text in it that is long enough, also within JSON that is a text itself. */
function valuesIn({ cookies, origins }: BrowserState): readonly string[] {
  return textsIn([
    ...cookies.map(({ value }) => value),
    ...origins.flatMap(({ localStorage }) => localStorage.map(({ value }) => value)),
    ...origins.map((origin) => Reflect.get(origin, 'indexedDB')),
  ]).filter((text) => text.length >= shortestSecret);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  const inner = /^\s*[[{]/.test(value) ? jsonIn(value) : undefined;
  return inner === undefined ? [value] : [value, ...textsIn(inner)];
}
