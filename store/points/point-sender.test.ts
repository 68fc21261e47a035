import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { soon } from '../../tests/soon.js';
import type { DataPoint } from './data-point.js';
import { PointSender, type SenderOptions } from './point-sender.js';
import { accountText, type PointTarget, type WriteOutcome } from './point-sink.js';

const points = (count: number, from = 0): readonly DataPoint[] =>
  Array.from({ length: count }, (_, nth) => {
    return { measurement: 'm', tags: {}, fields: { v: from + nth }, isOfSecond: true, atMs: 0 };
  });
const encode = ({ fields }: DataPoint) => `m v=${fields.v}`;
const lines = (count: number, from = 0) => points(count, from).map(encode);
const taken: WriteOutcome = { kind: 'taken' };
const down: WriteOutcome = { kind: 'failed', why: 'ECONNREFUSED' };

/** A sender whose other side answers as the script says, then takes everything. */
function aSender(
  script: readonly WriteOutcome[],
  options: Partial<SenderOptions> & Partial<Pick<PointTarget, 'write'>> = {},
) {
  const got: string[] = [];
  const told: string[] = [];
  const answers = [...script];
  const write: PointTarget['write'] = async (batch) => {
    const answer = answers.shift() ?? taken;
    if (answer.kind === 'taken') got.push(...batch);
    return answer;
  };
  const sender = new PointSender(
    { description: 'InfluxDB x', encode, write: options.write ?? write },
    {
      onTrouble: (text) => told.push(text),
      gatherMs: 1,
      firstPauseMs: 1,
      longestPauseMs: 4,
      closingPatienceMs: 60,
      ...options,
    },
  );
  return { sender, got, told };
}

test('every line is written once, in its order, in batches', async () => {
  const { sender, got } = aSender([], { batchPoints: 7 });
  sender.add(points(100));
  sender.add(points(3, 100));
  await sender.close();
  expect(got).toEqual(lines(103));
  expect(sender.account).toEqual({ given: 103, written: 103, resent: 0, lost: 0 });
});

test('what failed is sent again and counted as sent again, and the trouble is told once, with its end', async () => {
  const { sender, got, told } = aSender([down, down, taken, down], { batchPoints: 10 });
  sender.add(points(25));
  await sender.close();
  expect(got).toEqual(lines(25));
  expect(sender.account).toEqual({ given: 25, written: 25, resent: 20, lost: 0 });
  expect(told).toEqual([
    'does not take points (ECONNREFUSED); they are kept and sent again.',
    'takes points again; what was kept is being sent.',
    'does not take points (ECONNREFUSED); they are kept and sent again.',
    'takes points again; what was kept is being sent.',
  ]);
});

test('what is refused is lost and never sent again; the rest goes on', async () => {
  const refused: WriteOutcome = { kind: 'refused', lost: 10, why: 'it answered 401: unauthorized access' };
  const { sender, got, told } = aSender([refused, { ...refused, lost: 4 }], { batchPoints: 10 });
  sender.add(points(30));
  await sender.close();
  expect(got).toEqual(lines(10, 20));
  expect(sender.account).toEqual({ given: 30, written: 16, resent: 0, lost: 14 });
  expect(told).toEqual(['refuses points: it answered 401: unauthorized access']);
  expect(accountText(sender, 'loadline export RUN --influx URL')).toBe(
    'InfluxDB x: 16 of 30 points written; 14 lost (it answered 401: unauthorized access). loadline export RUN --influx URL fills in what is missing.',
  );
});

/** A promise, and what resolves it. */
function signalled(): readonly [Promise<void>, () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((act) => {
    resolve = act;
  });
  return [promise, () => resolve()];
}

test('a full buffer lets the oldest go, and counts them', async () => {
  const [gate, open] = signalled();
  const [begun, begin] = signalled();
  const got: string[] = [];
  const write: PointTarget['write'] = async (batch) => {
    begin();
    await gate;
    got.push(...batch);
    return taken;
  };
  const { sender } = aSender([], { write, roomCharacters: 50, batchPoints: 2 });
  sender.add(points(2));
  await begun;
  for (let nth = 2; nth < 20; nth += 1) sender.add(points(1, 100_000 + nth));
  open();
  await sender.close();
  const { given, written, lost } = sender.account;
  expect(got.slice(0, 2)).toEqual(lines(2));
  expect(got.slice(2)).toEqual([15, 16, 17, 18, 19].flatMap((nth) => lines(1, 100_000 + nth)));
  expect({ given, written, lost }).toEqual({ given: 20, written: 7, lost: 13 });
});

test('an InfluxDB that is gone at the end holds up the end for its patience and no longer; the rest is lost', async () => {
  const { sender, told } = aSender(Array<WriteOutcome>(10_000).fill(down));
  sender.add(points(500));
  await soon(() => told.length).toBeGreaterThan(0);
  const startedMs = Date.now();
  await sender.close();
  await sender.close();
  expect(Date.now() - startedMs).toBeLessThan(3000);
  expect(sender.account).toEqual({ given: 500, written: 0, resent: 0, lost: 500 });
  sender.add(points(3));
  expect(sender.account).toEqual({ given: 503, written: 0, resent: 0, lost: 503 });
});

test('points that were given up are told as given up, last of all, and not as kept', async () => {
  const { sender, told } = aSender([], { write: async () => down });
  sender.add(points(3));
  await sender.close();
  expect(sender.account).toMatchObject({ given: 3, written: 0, lost: 3 });
  expect(told.at(-1)).toBe('did not take points for too long (ECONNREFUSED); those that waited are given up.');
});

test('giving points returns at once while the network hangs', async () => {
  const [begun, begin] = signalled();
  const write = () => {
    begin();
    return new Promise<never>(() => {});
  };
  const { sender } = aSender([], { write });
  const startedMs = Date.now();
  for (let nth = 0; nth < 200; nth += 1) {
    sender.add(points(100));
    if (nth === 10) await begun;
  }
  expect(Date.now() - startedMs).toBeLessThan(2000);
  expect(sender.account).toMatchObject({ given: 20_000, written: 0 });
});

test('room is there once little waits, and when everything was given up', async () => {
  const slow = aSender([], { batchPoints: 10 });
  slow.sender.add(points(1000));
  await slow.sender.room(50);
  expect(slow.got.length).toBeGreaterThanOrEqual(950);
  const gone = aSender(Array<WriteOutcome>(10_000).fill(down), { patienceMs: 30 });
  gone.sender.add(points(1000));
  await gone.sender.room(50);
  expect(gone.sender.account).toMatchObject({ written: 0, lost: 1000 });
});

test('by chance failing, refusing and overflowing, the account is exact to the last point', both, async () => {
  for (let seed = 1; seed <= times(10, 40); seed += 1) {
    const chance = randomFrom(seed);
    const got = new Set<string>();
    const write: PointTarget['write'] = async (batch) => {
      await turn();
      if (chance() < 0.3) return down;
      if (chance() < 0.1) return { kind: 'refused', lost: batch.length, why: '400' };
      for (const line of batch) got.add(line);
      return taken;
    };
    const { sender } = aSender([], { write, batchPoints: 13, roomCharacters: 2000, closingPatienceMs: 2000 });
    for (let nth = 0; nth < 60; nth += 1) {
      sender.add(points(Math.floor(chance() * 40), nth * 100));
      if (chance() < 0.3) await turn();
    }
    await sender.close();
    const { given, written, lost, resent } = sender.account;
    expect(written + lost).toBe(given);
    expect(got.size).toBe(written);
    expect(resent).toBeLessThanOrEqual(written);
  }
});
