import { expect, test } from '@playwright/test';
import { classes, Message, methods, parseMessage } from 'werift';
import { PathAnswers } from './path-answers.js';

const password = 'a password of the probe';
const key = Buffer.from(password);
const outlet = { put: () => undefined };
const server = { outlet, port: 4000, address: '192.0.2.7' };

function answering(connection = { localPassword: password, iceControlling: true }) {
  const sent: Buffer[] = [];
  const answers = new PathAnswers(connection, (answer) => sent.push(Buffer.from(answer)));
  return { answers, sent, connection };
}

/** As a server that answers offers asks. */
function check({
  signedBy = key,
  role = 'ICE-CONTROLLED' as 'ICE-CONTROLLED' | 'ICE-CONTROLLING',
  priority = 1_862_270_975,
} = {}): Buffer {
  const request = new Message(methods.BINDING, classes.REQUEST);
  request.setAttribute('USERNAME', 'own:theirs').setAttribute('PRIORITY', priority).setAttribute(role, 7n);
  request.addMessageIntegrity(signedBy).addFingerprint();
  return request.bytes;
}

test('a check that differs from one before in its transaction alone is answered, as werift would', () => {
  const { answers, sent } = answering();
  expect(answers.isAnswered(check(), server)).toBe(false);
  const checks = [check(), check()];
  for (const one of checks) expect(answers.isAnswered(one, { ...server })).toBe(true);
  const expected = checks.map((one) => {
    const answer = new Message(methods.BINDING, classes.RESPONSE, one.subarray(8, 20));
    answer.setAttribute('XOR-MAPPED-ADDRESS', [server.address, server.port]);
    answer.addMessageIntegrity(key).addFingerprint();
    return answer.bytes;
  });
  expect(sent).toEqual(expected);
  expect(parseMessage(sent[1] ?? Buffer.alloc(0), key)?.transactionId).toEqual(checks[1]?.subarray(8, 20));
});

const others: readonly (readonly [string, Buffer, typeof server])[] = [
  ['from another port', check(), { ...server, port: 4001 }],
  ['from another address', check(), { ...server, address: '192.0.2.8' }],
  ['over another socket', check(), { ...server, outlet: { put: () => undefined } }],
  ['from an address of IPv6', check(), { ...server, address: '2001:db8::7' }],
  ['that is signed with another password', check({ signedBy: Buffer.from('another') }), server],
  ['whose fingerprint is another', changed(check(), -1), server],
  ['whose user is another', changed(check(), 25), server],
  ['that says something else', check({ priority: 1 }), server],
  ['that is in our own role', check({ role: 'ICE-CONTROLLING' }), server],
  ['that is cut off', check().subarray(0, 60), server],
  ['that has no signature', new Message(methods.BINDING, classes.REQUEST).bytes, server],
  ['that is no STUN', Buffer.alloc(100, 22), server],
];

for (const [what, datagram, from] of others) {
  test(`a check ${what} is werift's to answer, and one as before is answered after it`, () => {
    const { answers, sent } = answering();
    answers.isAnswered(check(), server);
    expect(answers.isAnswered(datagram, from)).toBe(false);
    expect(sent).toEqual([]);
    answers.isAnswered(check(), server);
    expect(answers.isAnswered(check(), server)).toBe(true);
  });
}

test('what werift would refuse for its role is not remembered, nor answered once the role is another', () => {
  const { answers, connection } = answering();
  const conflicting = () => check({ role: 'ICE-CONTROLLING' });
  for (let nth = 0; nth < 3; nth += 1) expect(answers.isAnswered(conflicting(), server)).toBe(false);
  for (let nth = 0; nth < 2; nth += 1) answers.isAnswered(check(), server);
  connection.iceControlling = false;
  expect(answers.isAnswered(check(), server)).toBe(false);
});

test('of what is not authentic nothing is remembered: it is never answered', () => {
  const { answers, sent } = answering();
  for (let nth = 0; nth < 3; nth += 1)
    expect(answers.isAnswered(check({ signedBy: Buffer.from('another') }), server)).toBe(false);
  expect(sent).toEqual([]);
});

/** One byte is another. @param at of it; below zero: from the end */
function changed(datagram: Buffer, at: number): Buffer {
  const index = at < 0 ? datagram.length + at : at;
  datagram[index] = (datagram[index] ?? 0) ^ 1;
  return datagram;
}
