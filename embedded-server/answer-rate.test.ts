import { expect, test } from '@playwright/test';
import type { Clock } from '../rtp/egress.js';
import { AnswerRate } from './answer-rate.js';

/** A clock that is moved by hand. */
function aClock() {
  const due: { atMs: number; act: () => void }[] = [];
  let nowMs = 1000;
  const clock: Clock = {
    nowMs: () => nowMs,
    lagMs: () => 0,
    after: (ms, act) => {
      const one = { atMs: nowMs + ms, act };
      due.push(one);
      return () => void due.splice(due.indexOf(one), 1);
    },
  };
  const move = async (ms: number) => {
    nowMs += ms;
    for (const one of due.filter(({ atMs }) => atMs <= nowMs)) {
      due.splice(due.indexOf(one), 1);
      one.act();
    }
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, move, waiting: () => due.length };
}

test('offers are answered one after the other, so many a second, and an idle server has saved nothing up', async () => {
  const { clock, move } = aClock();
  const rate = new AnswerRate(clock, 20);
  const answered: number[] = [];
  const ask = (count: number) => {
    for (let asked = 0; asked < count; asked += 1) void rate.turn().then(() => answered.push(clock.nowMs()));
  };
  ask(3);
  for (let step = 0; step < 10; step += 1) await move(25);
  expect(answered).toEqual([1050, 1100, 1150]);
  await move(10_000);
  ask(2);
  for (let step = 0; step < 10; step += 1) await move(25);
  expect(answered.slice(3)).toEqual([11_300, 11_350]);
});

test('without a rate nobody waits, and who still waits when the server closes is never answered', async () => {
  const { clock, waiting } = aClock();
  await new AnswerRate(clock, 0).turn();
  const rate = new AnswerRate(clock, 1);
  void rate.turn();
  void rate.turn();
  expect(waiting()).toBe(2);
  rate.close();
  expect(waiting()).toBe(0);
});
