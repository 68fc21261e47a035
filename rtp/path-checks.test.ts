import { expect, test } from '@playwright/test';
import { classes, Message, methods, parseMessage } from 'werift';
import { PathChecks } from './path-checks.js';

const password = 'a password of the server';
const remoteAddr = ['192.0.2.7', 4000] as const;

/** A connection whose checks are kept, and what answers them. */
function checked() {
  const sent: Buffer[] = [];
  let built = 0;
  const checks = new PathChecks({
    localUsername: 'own',
    remoteUsername: 'theirs',
    remotePassword: password,
    iceControlling: true,
    buildRequest: () => {
      built += 1;
      return new Message(methods.BINDING, classes.REQUEST)
        .setAttribute('USERNAME', 'theirs:own')
        .setAttribute('PRIORITY', 1_862_270_975)
        .setAttribute('ICE-CONTROLLING', 7n);
    },
  });
  const protocol = {
    sendData: async (bytes: Buffer) => {
      sent.push(Buffer.from(bytes));
    },
  };
  return { checks, sent, pair: { protocol, remoteAddr }, built: () => built };
}

const answerTo = (request: Buffer): Buffer =>
  new Message(methods.BINDING, classes.RESPONSE, request.subarray(8, 20)).setAttribute('XOR-MAPPED-ADDRESS', [
    ...remoteAddr,
  ]).bytes;

test('each check is a request that werift reads as authentic, with a transaction of its own, and made anew for another pair alone', () => {
  const { checks, sent, pair, built } = checked();
  for (let nth = 0; nth < 5; nth += 1) checks.check(pair, nth);
  expect(built()).toBe(1);
  checks.check({ ...pair }, 5);
  expect(built()).toBe(2);
  const read = sent.map((bytes) => parseMessage(bytes, Buffer.from(password)));
  expect(read.map((message) => message?.getAttributeValue('USERNAME'))).toEqual(sent.map(() => 'theirs:own'));
  expect(new Set(read.map((message) => message?.transactionIdHex)).size).toBe(sent.length);
  // That it reads them so says something: it reads none with another key, and none whose fingerprint is another.
  const [first = Buffer.alloc(0)] = sent;
  expect(parseMessage(first, Buffer.from('another'))).toBeUndefined();
  first[first.length - 1] = (first.at(-1) ?? 0) ^ 1;
  expect(parseMessage(first, Buffer.from(password))).toBeUndefined();
});

test('the round trip is that of the last check alone, of its first answer', () => {
  const { checks, sent, pair } = checked();
  expect(checks.isAnswer(Buffer.alloc(40, 1), 1)).toBe(false);
  checks.check(pair, 1000);
  checks.check(pair, 3500);
  const [late, last] = sent.map(answerTo);
  if (!late || !last) throw new Error('no check was sent');
  expect(checks.isAnswer(late, 3600)).toBe(false);
  expect(checks.isAnswer(sent[1] ?? last, 3600)).toBe(false);
  expect(checks.isAnswer(last.subarray(0, 12), 3600)).toBe(false);
  expect(checks.roundTripMs).toBeUndefined();
  expect(checks.isAnswer(last, 3512.5)).toBe(true);
  expect(checks.roundTripMs).toBe(12.5);
  expect(checks.isAnswer(last, 3700)).toBe(false);
  expect(checks.roundTripMs).toBe(12.5);
});
