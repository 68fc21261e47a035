import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Participant, Session } from '../model/scenario.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { SessionBook } from './session-book.js';

const sender: Participant = {
  id: '1p',
  session: '1',
  role: 'presenter',
  legs: [{ id: '1p', sends: ['video'], receives: [] }],
};
const from = { participant: '1p' };
const viewer: Participant = {
  id: '1v',
  session: '1',
  role: 'viewer',
  legs: [{ id: '1v', sends: [], receives: ['video'], from }],
};
const session: Session = { id: '1', shape: 'forward', participants: [sender, viewer] };

/** Offers to a leg that receives as soon as its source is there. */
function patient(
  told: string[],
  spokenByHosts = false,
  answers = async () => undefined as unknown,
  connected?: () => Promise<unknown>,
): MediaServer {
  const never = () => Promise.reject(new Error('not part of this test'));
  return {
    start: never,
    reset: never,
    stop: async () => undefined,
    onEvent: () => undefined,
    openSession: async () => ({
      begin: async ({ leg, sourcesThere }) => {
        const speak = { kind: 'toy', words: '', spoke: async (opened: string) => void told.push(`opened ${opened}`) };
        if (leg.receives.length === 0) return { by: 'probe', ...(spokenByHosts ? { speak } : {}) };
        await sourcesThere('all', connected);
        told.push(`offer for ${leg.id}`);
        const addCandidate = async () => undefined;
        return { by: 'server', offer: 'offer', answer: async () => undefined, addCandidate };
      },
      join: async ({ leg }) => {
        await answers();
        told.push(`${leg.id} joins`);
        return { answer: 'answer', addCandidate: async () => undefined };
      },
      close: async () => undefined,
    }),
  };
}

const requestOf = (participant: Participant, signal = new AbortController().signal) => {
  const [leg] = participant.legs;
  if (!leg) throw new Error('no leg');
  return { participant, leg, onCandidate: () => undefined, renegotiate: async () => '', offer: 'offer', signal };
};

test('a leg that receives waits until its source sends, and no longer than its probe has time', async () => {
  const told: string[] = [];
  const book = new SessionBook(patient(told), [session], new AbortController().signal);
  const waiting = book.begin(requestOf(viewer));
  expect(await book.begin(requestOf(sender))).toEqual({ by: 'probe' });
  await book.negotiate(requestOf(sender));
  expect(await waiting).toMatchObject({ by: 'server', offer: 'offer' });
  expect(told).toEqual(['1p joins', 'offer for 1v']);
  const alone = new SessionBook(patient([]), [session], new AbortController().signal);
  const late = new AbortController();
  const given = alone.begin(requestOf(viewer, late.signal));
  late.abort(new Error('out of time'));
  await expect(given).rejects.toThrow('out of time');
});

test('what a leg waits for the page of its source is told, and what it waits for the server’s answer to that is not', async () => {
  let now = 1000;
  let answer: (_?: unknown) => void = () => undefined;
  const answers = () => new Promise((resolve) => (answer = resolve));
  const server = patient([], false, answers);
  const book = new SessionBook(server, [session], new AbortController().signal, () => now);
  const waiting = book.begin(requestOf(viewer));
  await book.begin(requestOf(sender));
  await setImmediate();
  now += 700;
  const joining = book.negotiate(requestOf(sender));
  await setImmediate();
  now += 40;
  answer();
  await joining;

  expect(await waiting).toMatchObject({ by: 'server', waitedMs: 700 });
  expect(await book.begin(requestOf(viewer))).not.toHaveProperty('waitedMs');
});

test('that a source connects, on a server that names it only then, is not the server’s part', async () => {
  let now = 1000;
  const connected = async () => {
    await setImmediate();
    now += 900;
  };
  const server = patient([], false, undefined, connected);
  const book = new SessionBook(server, [session], new AbortController().signal, () => now);
  await book.negotiate(requestOf(sender));
  expect(await book.begin(requestOf(viewer))).toMatchObject({ by: 'server', waitedMs: 900 });
});

test('where the host of the source has spoken itself, a leg that receives goes on when that host says so', async () => {
  const told: string[] = [];
  const book = new SessionBook(patient(told, true), [session], new AbortController().signal);
  const waiting = book.begin(requestOf(viewer));
  const first = await book.begin(requestOf(sender));
  if (first.by !== 'probe') throw new Error('the server offers');
  expect(told).toEqual([]);
  await first.speak?.spoke('1p');
  expect(await waiting).toMatchObject({ by: 'server' });
  expect(told).toEqual(['opened 1p', 'offer for 1v']);
});

test('a leg that waits for many sources leaves no listener behind', async () => {
  const senders = ['1p', '1q', '1r'].map(
    (id): Participant => ({ ...sender, id, legs: [{ id, sends: ['video'], receives: [] }] }),
  );
  const [leg] = viewer.legs;
  if (!leg) throw new Error('no leg');
  const watcher: Participant = {
    ...viewer,
    legs: [{ ...leg, from: senders.map(({ id }) => ({ participant: id, kinds: ['video'] as const })) }],
  };
  const room: Session = { id: '1', shape: 'forward', participants: [...senders, watcher] };
  const book = new SessionBook(patient([]), [room], new AbortController().signal);
  const { signal } = new AbortController();
  const listening = new Set<unknown>();
  const counted: AbortSignal = Object.create(signal, {
    throwIfAborted: { value: () => signal.throwIfAborted() },
    addEventListener: { value: (_: string, listener: unknown) => void listening.add(listener) },
    removeEventListener: { value: (_: string, listener: unknown) => void listening.delete(listener) },
  });
  const waiting = book.begin(requestOf(watcher, counted));
  for (const one of senders) await book.negotiate(requestOf(one));
  await waiting;
  expect(listening.size).toBe(0);
});
