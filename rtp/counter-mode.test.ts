import { expect, test } from '@playwright/test';
import { ProtectionProfileAes128CmHmacSha1_80, RtpHeader, RtpPacket, SrtpSession } from 'werift';
import { both, times } from '../tests/effort.js';
import { randomFrom } from '../tests/random.js';
import { CounterModeProtection } from './counter-mode.js';
import { leavingPacket, type OutgoingPacket } from './outgoing-packet.js';

const random = randomFrom(11);
const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));

test('the key stream is that of RFC 3711 B.2', () => {
  const protection = new CounterModeProtection({
    key: Buffer.from('2B7E151628AED2A6ABF7158809CF4F3C', 'hex'),
    salt: Buffer.from('F0F1F2F3F4F5F6F7F8F9FAFBFCFD', 'hex'),
    authKey: Buffer.alloc(20),
  });
  const header = new RtpHeader({ ssrc: 0, sequenceNumber: 0 });
  const sent = protection.protect(asParts(header, Buffer.alloc(48), 0));
  expect(sent.subarray(0, 12)).toEqual(header.serialize(12));
  expect(sent.subarray(12, 60).toString('hex').toUpperCase()).toBe(
    'E03EAD0935C95E80E166B16DD92B4EB4D23513162B02D0F72A43A2FE4A5F97AB41E95B3BB0A2E8DD477901E4FCA894C0',
  );
});

test('a receiver that has the master key reads packets of every length, in order over the rollover', both, () => {
  const [local, remote] = [keys(), keys()];
  const sender = new SrtpSession(session(local, remote));
  const receiver = new SrtpSession(session(remote, local));
  const protection = protectionOf(sender);
  const ssrc = 0xfedcba98;
  // Of werift, which reads them, each takes milliseconds.
  const packets = times(300, 1500);
  const wrong: string[] = [];
  for (let count = 0; count < packets; count += 1) {
    const index = 65_536 - packets / 2 + count;
    const [sequenceNumber, rollover] = [index & 0xffff, index >> 16];
    const header = new RtpHeader({ ssrc, sequenceNumber, timestamp: count, payloadType: 96, marker: count % 2 === 0 });
    const payload = bytes(count);
    const sent = protection.protect(asParts(header, payload, rollover));
    // Compared as bytes: value by value it takes ten seconds.
    const encrypted = sender.localContext.cipher.encryptRtp(header, payload, rollover);
    if (!sent.equals(encrypted)) wrong.push(`${count} bytes as werift writes them`);
    const [packet] = receiver.remoteContext.cipher.decryptRtp(sent, rollover);
    if (!RtpPacket.deSerialize(packet).payload.equals(payload)) wrong.push(`${count} bytes as werift reads them`);
  }
  expect(wrong).toEqual([]);
});

test('a packet near the largest of UDP is protected, in the memory of the one before it', () => {
  const [local, remote] = [keys(), keys()];
  const sender = new SrtpSession(session(local, remote));
  const protection = protectionOf(sender);
  const header = new RtpHeader({ ssrc: 7, sequenceNumber: 1, payloadType: 96 });
  const [small, large] = [bytes(100), bytes(65_400)];
  const first = protection.protect(asParts(header, small, 0));
  expect(first).toEqual(sender.localContext.cipher.encryptRtp(header, small, 0));
  const second = protection.protect(asParts(header, large, 0));
  expect(second).toEqual(sender.localContext.cipher.encryptRtp(header, large, 0));
  expect(second.buffer).toBe(first.buffer);
});

/** In two parts. */
function asParts(header: RtpHeader, payload: Buffer, rollover: number): OutgoingPacket {
  const packet = leavingPacket(header.ssrc, { absSendTimeId: undefined });
  const { payloadType, marker, sequenceNumber, timestamp } = header;
  Object.assign(packet.header, { payloadType, marker, sequenceNumber, timestamp });
  const headBytes = Math.min(3, payload.length);
  const head = headBytes === 0 ? 0 : payload.readUIntBE(0, headBytes);
  return { ...packet, rollover, head, headBytes, body: payload.subarray(headBytes) };
}

function protectionOf({ localContext }: SrtpSession): CounterModeProtection {
  const { srtpSessionKey: key, srtpSessionSalt: salt, srtpSessionAuthTag: authKey } = localContext;
  return new CounterModeProtection({ key, salt, authKey });
}

interface Master {
  readonly key: Buffer;
  readonly salt: Buffer;
}

const keys = (): Master => ({ key: bytes(16), salt: bytes(14) });

const session = (local: Master, remote: Master) =>
  ({
    keys: {
      localMasterKey: local.key,
      localMasterSalt: local.salt,
      remoteMasterKey: remote.key,
      remoteMasterSalt: remote.salt,
    },
    profile: ProtectionProfileAes128CmHmacSha1_80,
  }) as const;
