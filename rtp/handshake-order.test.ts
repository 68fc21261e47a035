import { expect, test } from '@playwright/test';
import { HandshakeOrder, type HandshakePiece } from './handshake-order.js';

const hello = 1;
const serverHello = 2;
const certificate = 11;
const serverKeyExchange = 12;
const serverHelloDone = 14;
const keyExchange = 16;
const certificateVerify = 15;
const finished = 20;

function piece(message_seq: number, msg_type: number, text: string, from = 0, to = text.length): HandshakePiece {
  const fragment = Buffer.from(text.slice(from, to));
  return { msg_type, message_seq, length: text.length, fragment_offset: from, fragment_length: to - from, fragment };
}

const told = (order: HandshakeOrder, ...pieces: readonly HandshakePiece[]) =>
  pieces.map((one) => order.take(one).map(({ message_seq, fragment }) => `${message_seq} ${fragment}`));

test('a message that overtook another waits for it', () => {
  const order = new HandshakeOrder('server');
  expect(
    told(
      order,
      piece(3, certificateVerify, 'proof'),
      piece(2, keyExchange, 'key'),
      piece(0, hello, 'hello'),
      piece(1, certificate, 'me'),
      piece(4, finished, 'done'),
    ),
  ).toEqual([[], [], ['0 hello'], ['1 me', '2 key', '3 proof'], ['4 done']]);
});

test('a message that comes again is taken once, but for the last of a flight, which asks for what answered it', () => {
  const flights = {
    server: [hello, certificate, keyExchange, certificateVerify, finished],
    client: [serverHello, certificate, serverKeyExchange, serverHelloDone, finished],
  };
  const again = (role: 'client' | 'server') => {
    const sent = flights[role].map((type, nth) => piece(nth, type, 'it'));
    return told(new HandshakeOrder(role), ...sent, ...sent).map((given) => given.length);
  };
  expect(again('server')).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 1]);
  expect(again('client')).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
});

test('a message that only has the number of the last one, and is another, asks for nothing again', () => {
  const server = new HandshakeOrder('server');
  expect(told(server, piece(0, hello, 'hello'), piece(0, hello, 'other'), piece(0, hello, 'hello'))).toEqual([
    ['0 hello'],
    [],
    ['0 hello'],
  ]);
  expect(told(server, piece(1, certificate, 'me'), piece(1, hello, 'me'))).toEqual([['1 me'], []]);
});

test('a message out of turn, or a piece of one, has not come: the one whose turn it is has its number', () => {
  const order = new HandshakeOrder('server');
  expect(
    told(
      order,
      piece(0, certificate, 'me'),
      // What is under the next number may be in turn then, or not.
      piece(1, keyExchange, 'key'),
      piece(1, certificate, 'a longer one', 0, 3),
      piece(0, hello, 'hello'),
      piece(1, certificate, 'me'),
      piece(2, serverHello, 'hello'),
    ),
  ).toEqual([[], [], [], ['0 hello'], ['1 me'], []]);
  expect(() => order.take(piece(2, finished, 'done'))).toThrow('out of turn');
});

test('a message in pieces is whole when all its bytes are there, in any order, cut in any way, some twice', () => {
  const order = new HandshakeOrder('client');
  const text = 'a certificate of several pieces';
  const cut = (from: number, to: number) => piece(1, certificate, text, from, to);
  told(order, piece(0, serverHello, 'hello'));
  expect(told(order, cut(20, 31), cut(0, 8), cut(0, 8), cut(12, 25), cut(6, 13), cut(20, 31))).toEqual([
    [],
    [],
    [],
    [],
    [`1 ${text}`],
    [],
  ]);
});

test('what is too far ahead, too long or beyond its own end is not kept', () => {
  const order = new HandshakeOrder('client');
  const beyond = { ...piece(0, serverHello, 'abc'), fragment_offset: 2 };
  const long = { ...piece(0, serverHello, 'abc'), length: 100_000 };
  expect(told(order, piece(16, certificate, 'far'), beyond, long, piece(0, serverHello, 'me'))).toEqual([
    [],
    [],
    [],
    ['0 me'],
  ]);
});

test('pieces of messages that nobody sent keep out none that are sent', () => {
  const client = new HandshakeOrder('client');
  const long = 'x'.repeat(1000);
  const flood = (nth: number, type: number) => {
    for (let at = 0; at < 64; at += 1) told(client, piece(nth, type, long, at, at + 1));
  };
  for (const nth of [3, 15]) for (const type of [certificate, 200]) flood(nth, type);
  expect(told(client, piece(0, serverHello, 'hello'), piece(1, certificate, 'me'))).toEqual([['0 hello'], ['1 me']]);
  // Of the very message whose turn it is, but for its length.
  flood(2, serverKeyExchange);
  expect(told(client, piece(2, serverKeyExchange, 'key', 0, 1), piece(2, serverKeyExchange, 'key', 1, 3))).toEqual([
    [],
    ['2 key'],
  ]);
  expect(told(client, piece(3, serverHelloDone, 'done'))).toEqual([['3 done']]);
});

test('a message takes the room of one that is further ahead, and none from one that comes before', () => {
  const client = new HandshakeOrder('client');
  const large = 'x'.repeat(40_000);
  const all = [
    piece(2, serverKeyExchange, large),
    piece(1, certificate, large),
    piece(2, serverKeyExchange, large),
    piece(0, serverHello, 'hello'),
    piece(2, serverKeyExchange, 'key'),
  ];
  expect(
    told(client, ...all)
      .flat()
      .map((one) => one.slice(0, 5)),
  ).toEqual(['0 hel', '1 xxx', '2 key']);
});
