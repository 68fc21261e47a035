import { expect, test } from '@playwright/test';
import type { ForeignMemory } from './foreign-calls.js';
import { type Departing, Outbox } from './outbox.js';

function memory(bytes: number): ForeignMemory {
  const words = new Uint32Array(bytes / 4);
  return { address: 4096, bytes: Buffer.from(words.buffer), words };
}

function filled() {
  const outbox = new Outbox(memory);
  const left: { to: string; text: string; dueMs: number }[] = [];
  const departing = (to: string): Departing => ({
    sendFrom: ({ bytes }, from, end) => left.push({ to, text: bytes.toString('latin1', from, end), dueMs }),
  });
  let dueMs = 0;
  const sendAll = (): void => {
    for (dueMs = outbox.nextMs; dueMs < Number.POSITIVE_INFINITY; dueMs = outbox.nextMs) outbox.sendNext();
  };
  return { outbox, left, departing, sendAll };
}

test('what is put leaves as it was, to whom it goes, in the order and for the time at which it was put', () => {
  const { outbox, left, departing, sendAll } = filled();
  const [one, other] = [departing('one'), departing('other')];
  for (const round of [0, 10]) {
    outbox.open(round + 1);
    const datagram = Buffer.from('first');
    expect(outbox.put(one, datagram)).toBe(true);
    datagram.fill(0);
    expect(outbox.put(other, Buffer.from('second, longer'))).toBe(true);
    outbox.open(round + 2.5);
    expect(outbox.put(one, Buffer.alloc(0))).toBe(true);
    expect(outbox.nextMs).toBe(round + 1);
    sendAll();
  }
  expect(outbox.nextMs).toBe(Number.POSITIVE_INFINITY);
  expect(left).toEqual(
    [0, 10].flatMap((round) => [
      { to: 'one', text: 'first', dueMs: round + 1 },
      { to: 'other', text: 'second, longer', dueMs: round + 1 },
      { to: 'one', text: '', dueMs: round + 2.5 },
    ]),
  );
});

test('it keeps nothing while it is closed', () => {
  const { outbox, departing } = filled();
  expect(outbox.put(departing('one'), Buffer.from('early'))).toBe(false);
  outbox.open(1);
  outbox.close();
  expect(outbox.put(departing('one'), Buffer.from('late'))).toBe(false);
  expect(outbox.nextMs).toBe(Number.POSITIVE_INFINITY);
});

for (const [what, bytes] of [
  ['many', 10],
  ['large', 1200],
] as const)
  test(`of ${what} datagrams it is crowded before it is full, keeps none that it has no room for, and has room again once all have left`, () => {
    const { outbox, left, departing, sendAll } = filled();
    const one = departing('one');
    for (const round of [1, 2]) {
      outbox.open(round);
      let kept = 0;
      let crowdedAfter = 0;
      while (outbox.put(one, Buffer.alloc(bytes, kept))) {
        kept += 1;
        if (crowdedAfter === 0 && outbox.isCrowded) crowdedAfter = kept;
      }
      expect(crowdedAfter).toBeGreaterThan(50);
      // A picture of 50 packets has room still.
      expect(kept).toBeGreaterThan(crowdedAfter + 50);
      sendAll();
      expect(left.splice(0).map(({ text }) => text)).toEqual(
        Array.from({ length: kept }, (_, nth) => Buffer.alloc(bytes, nth).toString('latin1')),
      );
    }
  });
