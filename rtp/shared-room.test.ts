import { expect, test } from '@playwright/test';
import { foreignCalls } from '../host/foreign-calls.js';
import { cryptoCalls } from './crypto-calls.js';
import { checkedRoom, packetRoom } from './shared-room.js';

test('libcrypto called as it is is used where it makes of packets what Node makes of them', () => {
  const calls = cryptoCalls();
  test.skip(!calls, 'nothing calls libcrypto here');
  if (!calls) return;
  expect(packetRoom().calls).toBe(calls);
  expect(checkedRoom(undefined).calls).toBeUndefined();
  // A cipher of another name, a hash that leaves some out, a call that writes nothing, one that writes beside.
  const wrong = [
    { ...calls, counter: calls.blocks },
    {
      ...calls,
      shaUpdate: (state: unknown, from: unknown, bytes: unknown) => calls.shaUpdate(state, from, Number(bytes) - 64),
    },
    { ...calls, cipherUpdate: () => 1 },
    { ...calls, areWhole: () => false },
  ];
  expect(wrong.map((one) => checkedRoom(one).calls)).toEqual(wrong.map(() => undefined));
});

test('who writes beside memory that C writes to is seen', () => {
  const calls = foreignCalls();
  test.skip(!calls, 'nothing calls functions in C here');
  if (!calls) return;
  expect(calls.areWhole()).toBe(true);
  const { address } = calls.memory(100);
  for (const at of [-1, 100]) {
    const beside = calls.view(address + at, 1);
    const [before = 0] = beside;
    beside[0] = before ^ 1;
    expect(calls.areWhole()).toBe(false);
    beside[0] = before;
    expect(calls.areWhole()).toBe(true);
  }
});
