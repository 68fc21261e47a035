import { expect, test } from '@playwright/test';
import { HandshakeOrder, type HandshakePiece } from './handshake-order.js';

const hello = 1;
const certificate = 11;
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
      piece(2, certificateVerify, 'proof'),
      piece(1, keyExchange, 'key'),
      piece(0, certificate, 'me'),
      piece(3, finished, 'done'),
    ),
  ).toEqual([[], [], ['0 me', '1 key', '2 proof'], ['3 done']]);
});

test('a message that comes again is taken once, but for the last of a flight, which asks for what answered it', () => {
  const again = [piece(0, certificate, 'me'), piece(1, keyExchange, 'key'), piece(2, finished, 'done')];
  expect(told(new HandshakeOrder('server'), ...again, ...again)).toEqual([
    ['0 me'],
    ['1 key'],
    ['2 done'],
    [],
    [],
    ['2 done'],
  ]);
  expect(told(new HandshakeOrder('client'), ...again, ...again).slice(3)).toEqual([[], [], []]);
});

test('a message that only has the number of the last one, and is another, asks for nothing again', () => {
  const server = new HandshakeOrder('server');
  expect(told(server, piece(0, hello, 'hello'), piece(0, hello, 'other'), piece(0, hello, 'hello'))).toEqual([
    ['0 hello'],
    [],
    ['0 hello'],
  ]);
  expect(told(server, piece(1, certificate, 'me'), piece(1, hello, 'me'))).toEqual([['1 me'], []]);
  expect(told(server, piece(2, finished, 'done'), piece(2, hello, 'anew'))).toEqual([['2 done'], []]);
});

test('a message in pieces is whole when all its bytes are there, in any order, cut in any way, some twice', () => {
  const order = new HandshakeOrder('client');
  const text = 'a certificate of several pieces';
  const cut = (from: number, to: number) => piece(0, certificate, text, from, to);
  expect(told(order, cut(20, 31), cut(0, 8), cut(0, 8), cut(12, 25), cut(6, 13))).toEqual([
    [],
    [],
    [],
    [],
    [`0 ${text}`],
  ]);
  expect(told(order, cut(20, 31), piece(1, 14, ''), piece(1, 14, ''))).toEqual([[], ['1 '], ['1 ']]);
});

test('what is too far ahead, too long or beyond its own end is not kept', () => {
  const order = new HandshakeOrder('client');
  const beyond = { ...piece(0, certificate, 'abc'), fragment_offset: 2 };
  const long = { ...piece(0, certificate, 'abc'), length: 100_000 };
  expect(told(order, piece(16, certificate, 'far'), beyond, long, piece(0, certificate, 'me'))).toEqual([
    [],
    [],
    [],
    ['0 me'],
  ]);
});
