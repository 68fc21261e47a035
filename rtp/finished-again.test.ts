import { expect, test } from '@playwright/test';
import { numberFinishedAnew } from './finished-again.js';

/** A record whose cipher text is its plain text and its number, so that a test can read it. */
const recordOf = (text: string, sequenceNumber: number) => ({
  fragment: Buffer.from(text),
  recordLayerHeader: { sequenceNumber, contentLen: text.length },
  serialize() {
    return Buffer.from(
      `${this.recordLayerHeader.sequenceNumber}/${this.recordLayerHeader.contentLen}:${this.fragment}`,
    );
  },
});

function client() {
  const sent: string[] = [];
  const dtls = {
    cipher: {
      encryptPacket(record: ReturnType<typeof recordOf>) {
        record.fragment = Buffer.from(`<${record.fragment} as ${record.recordLayerHeader.sequenceNumber}>`);
        record.recordLayerHeader.contentLen = record.fragment.length;
        return record;
      },
    },
    transport: {
      async send(datagram: Buffer) {
        sent.push(datagram.toString());
      },
    },
  };
  numberFinishedAnew(dtls as unknown as Parameters<typeof numberFinishedAnew>[0]);
  return { ...dtls, sent };
}

test('each copy of a Finished has a record number of its own, and is encrypted for it', async () => {
  const { cipher, transport, sent } = client();
  const flight = [Buffer.from('key exchange'), cipher.encryptPacket(recordOf('finished', 5)).serialize()];
  for (let copy = 0; copy < 3; copy += 1) for (const datagram of flight) await transport.send(datagram);
  expect(sent.filter((text) => text === 'key exchange')).toHaveLength(3);
  expect(sent.filter((text) => text.includes('finished'))).toEqual([
    '5/15:<finished as 5>',
    '6/15:<finished as 6>',
    '7/15:<finished as 7>',
  ]);
});

test('what is encrypted later is sent as it is', async () => {
  const { cipher, transport, sent } = client();
  await transport.send(cipher.encryptPacket(recordOf('finished', 5)).serialize());
  const alert = cipher.encryptPacket(recordOf('close', 1)).serialize();
  await transport.send(alert);
  await transport.send(alert);
  expect(sent.slice(1)).toEqual(['1/12:<close as 1>', '1/12:<close as 1>']);
});
