import { expect, test } from '@playwright/test';
import { DtlsReading } from './dtls-reading.js';

const [serverHello, certificate, finished] = [2, 11, 20];

function scene(role: 'client' | 'server') {
  const given: string[] = [];
  const failed: string[] = [];
  const dtls = {
    transport: { socket: { onData: () => undefined } },
    dtls: { sortedHandshakeCache: [] },
    // As if each had the key.
    cipher: { decryptPacket: ({ fragment }: { readonly fragment: Buffer }) => fragment },
    onHandleHandshakes: async (messages: readonly { readonly msg_type: number; readonly fragment: Buffer }[]) => {
      given.push(...messages.map(({ msg_type, fragment }) => `${msg_type} of ${fragment.length}`));
    },
    onError: { execute: (error: Error) => void failed.push(error.message) },
  };
  const { read } = new DtlsReading(dtls, role);
  return { read, given, failed };
}

function record(epoch: number, body: Buffer): Buffer {
  const header = Buffer.from('16fefd00000000000000000000', 'hex');
  header.writeUInt16BE(epoch, 3);
  header.writeUInt16BE(body.length, 11);
  return Buffer.concat([header, body]);
}

function piece(type: number, nth: number, [length, at, bytes]: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(type, 0);
  header.writeUIntBE(length, 1, 3);
  header.writeUInt16BE(nth, 4);
  header.writeUIntBE(at, 6, 3);
  header.writeUIntBE(bytes, 9, 3);
  return Buffer.concat([header, Buffer.alloc(bytes, 1)]);
}

test('a message out of turn has not come, and the one whose turn it is goes on; a Finished out of turn is refused', () => {
  const { read, given, failed } = scene('client');
  read(record(0, piece(certificate, 0, [40, 0, 40])));
  read(record(0, piece(serverHello, 0, [40, 0, 40])));
  expect({ given, failed }).toEqual({ given: ['2 of 40'], failed: [] });
  read(record(1, piece(finished, 1, [40, 0, 40])));
  read(record(0, piece(certificate, 1, [40, 0, 40])));
  expect({ given, failed }).toEqual({ given: ['2 of 40'], failed: ['a DTLS message out of turn (20)'] });
});

test('Finished in the clear has not come, nor has anything else that is enciphered', () => {
  const { read, given, failed } = scene('client');
  read(record(0, piece(finished, 0, [12, 0, 12])));
  read(record(1, piece(serverHello, 0, [40, 0, 40])));
  read(record(2, piece(finished, 0, [40, 0, 40])));
  expect({ given, failed }).toEqual({ given: [], failed: [] });
  read(record(0, piece(serverHello, 0, [40, 0, 40])));
  expect(given).toEqual(['2 of 40']);
});

test('of pieces no more are kept than a flight has, and a message that is whole goes on', () => {
  const { read, given } = scene('client');
  // Each byte of a message but the first, a thousand times.
  for (let nth = 1; nth <= 1000; nth += 1) read(record(0, piece(serverHello, 0, [60_000, nth, 1])));
  read(record(0, piece(serverHello, 0, [60_000, 0, 60_000])));
  expect(given).toEqual([]);
  const other = scene('client');
  other.read(record(0, Buffer.concat(Array.from({ length: 500 }, () => piece(serverHello, 0, [40, 0, 1])))));
  other.read(record(0, piece(serverHello, 0, [40, 0, 40])));
  expect(other.given).toEqual(['2 of 40']);
});

test('a certificate that is none, or of nothing, is refused', () => {
  for (const certificateOf of [
    Buffer.alloc(3),
    Buffer.from('000003000000', 'hex'),
    Buffer.from('00000600000330ffff', 'hex'),
  ]) {
    const { read, given, failed } = scene('client');
    read(record(0, piece(serverHello, 0, [40, 0, 40])));
    const header = piece(certificate, 1, [certificateOf.length, 0, certificateOf.length]).subarray(0, 12);
    read(record(0, Buffer.concat([header, certificateOf])));
    expect(given).toEqual(['2 of 40']);
    expect(failed).toHaveLength(1);
  }
});
