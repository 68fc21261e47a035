import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { ProtectionProfileAes128CmHmacSha1_80, SrtcpSession } from 'werift';
import { CounterModeControlProtection, CounterModeControlReading, controlKeysOf } from './counter-mode-control.js';

const master = { key: randomBytes(16), salt: randomBytes(14) };
const session = new SrtcpSession({
  keys: {
    localMasterKey: master.key,
    localMasterSalt: master.salt,
    remoteMasterKey: master.key,
    remoteMasterSalt: master.salt,
  },
  profile: ProtectionProfileAes128CmHmacSha1_80,
});
const keys = controlKeysOf(session.localContext);

/** Whole words, as RTCP is. */
function compound(words: number, ssrc: number): Buffer {
  const made = Buffer.concat([Buffer.from([0x80, 201, 0, words + 1]), Buffer.alloc(4), randomBytes(4 * words)]);
  made.writeUInt32BE(ssrc, 4);
  return made;
}
const compounds = Array.from({ length: 60 }, (_, words) => compound(words, words % 2 === 0 ? 7 : 0xdeadbeef));

test('what is protected here is read by werift, and what werift protects is read here', () => {
  const protection = new CounterModeControlProtection(keys);
  const reading = new CounterModeControlReading(keys);
  for (const one of compounds) {
    expect(session.decrypt(Buffer.from(protection.protect(one)))).toEqual(one);
    expect(reading.read(Buffer.from(session.encrypt(one)))).toEqual(one);
  }
});

test('no index is used twice, and what was changed on the way or cut off is not read', () => {
  const protection = new CounterModeControlProtection(keys);
  const reading = new CounterModeControlReading(keys);
  const [one = Buffer.alloc(0)] = compounds.slice(5);
  const [first, second] = [Buffer.from(protection.protect(one)), Buffer.from(protection.protect(one))];
  expect(first.equals(second)).toBe(false);
  for (let at = 0; at < first.length; at += 1) {
    const changed = Buffer.from(first);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(reading.read(changed)).toBeUndefined();
    expect(reading.read(Buffer.from(first.subarray(0, at)))).toBeUndefined();
  }
  expect(reading.read(second)).toEqual(one);
});
