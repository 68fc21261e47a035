import { expect, test } from '@playwright/test';
import { classes, Message, methods } from 'werift';
import { readDescription } from '../../probes/native/description.js';
import { CounterModeProtection } from '../../rtp/counter-mode.js';
import { CounterModeControlProtection, CounterModeControlReading } from '../../rtp/counter-mode-control.js';
import { CounterModeReading } from '../../rtp/counter-mode-reading.js';
import { DtlsReading } from '../../rtp/dtls-reading.js';
import { IceGuard } from '../../rtp/ice-guard.js';
import { leavingPacket } from '../../rtp/outgoing-packet.js';
import { both, times } from '../effort.js';
import { randomFrom } from '../random.js';
import { dtlsSeeds, offerSeed, rtcpSeeds } from './fuzz-seeds.js';
import { mutatedBytes, mutatedText, pick, randomBytes, upTo } from './mutations.js';

/** As of the fuzz of the server: 1 in the long suite; `npm run fuzz` takes more. */
const often = Number(process.env.LOADLINE_FUZZ_TIMES ?? times(0.1, 1));
const seed = Number(process.env.LOADLINE_FUZZ_SEED ?? 1);

test.describe.configure({ timeout: 30_000 + 40_000 * often });

const credentials = { localUsername: 'us', localPassword: 'ours', remoteUsername: 'them', remotePassword: 'theirs' };
const from = { address: '192.0.2.1', port: 5000 };
const integrityBytes = 24;

/** A signed message, and where what is signed ends. */
function signedStun(kind: number, withFingerprint: boolean): { readonly bytes: Buffer; readonly end: number } {
  const message = new Message(methods.BINDING, kind);
  if (kind === classes.REQUEST) message.setAttribute('USERNAME', 'us:them').setAttribute('ICE-CONTROLLING', 5n);
  else message.setAttribute('XOR-MAPPED-ADDRESS', ['192.0.2.9', 9]);
  message.addMessageIntegrity(Buffer.from(kind === classes.REQUEST ? 'ours' : 'theirs'));
  const end = message.bytes.length;
  if (withFingerprint) message.addFingerprint();
  return { bytes: message.bytes, end };
}

test('of STUN messages with anything changed none is let in, but where what is signed is as it was', both, () => {
  const chance = randomFrom(seed + 30);
  const guard = new IceGuard(credentials);
  const letIn: string[] = [];
  for (let nth = 0; nth < 30_000 * often; nth += 1) {
    const { bytes, end } = signedStun(pick(chance, [classes.REQUEST, classes.RESPONSE]), chance() < 0.5);
    const transactions = { [bytes.toString('hex', 8, 20)]: { addr: [from.address, from.port] as const } };
    const changed = mutatedBytes(chance, bytes);
    // What begins as DTLS does goes where that is read.
    if ((changed[0] ?? 0) >= 4 || !guard.letsIn(changed, from, { transactions })) continue;
    // What follows is a fingerprint that is right, or nothing; the length in the header goes with it.
    const [was, is] = [bytes, changed].map((one) => Buffer.concat([one.subarray(0, 2), one.subarray(4, end)]));
    const isEnd = changed.length === end || changed.length === end + 8;
    if (!isEnd || !is?.equals(was ?? Buffer.alloc(0)) || end < integrityBytes) letIn.push(changed.toString('hex'));
  }
  expect(letIn).toEqual([]);
});

test('whatever comes as DTLS, werift gets no message that proves nothing, and nothing is thrown', both, () => {
  const chance = randomFrom(seed + 31);
  const seeds = dtlsSeeds();
  const given: number[] = [];
  for (let round = 0; round < 1500 * often; round += 1) {
    let failures = 0;
    const role = pick(chance, ['client', 'server'] as const);
    const reading = new DtlsReading(
      {
        transport: { socket: { onData: () => undefined } },
        dtls: { sortedHandshakeCache: [] },
        cipher: {
          masterSecret: Buffer.alloc(48, 1),
          localRandom: { serialize: () => Buffer.alloc(32, 2) },
          decryptPacket: ({ fragment }: { readonly fragment: Buffer }) => fragment,
        },
        onHandleHandshakes: async (messages) => void given.push(...messages.map(({ msg_type }) => msg_type)),
        onError: {
          execute: () => {
            failures += 1;
          },
        },
      },
      role,
    );
    for (let nth = 0; nth < 20; nth += 1) {
      const records = Array.from({ length: 1 + upTo(chance, 3) }, () => mutatedBytes(chance, pick(chance, seeds)));
      reading.read(Buffer.concat(records));
    }
    expect(failures).toBeLessThanOrEqual(1);
  }
  // Hellos, a request to say hello again and the end of a flight prove nothing themselves; a certificate, its proofs
  // and Finished do.
  expect(given.filter((type) => [12, 15, 16, 20].includes(type))).toEqual([]);
});

const keys = () => ({
  key: randomBytes(randomFrom(seed), 16),
  salt: Buffer.alloc(14, 2),
  authKey: Buffer.alloc(20, 3),
});

test('of SRTP and SRTCP with anything changed nothing is taken, and what is as it was, once', both, () => {
  const chance = randomFrom(seed + 32);
  const [media, control] = [new CounterModeProtection(keys()), new CounterModeControlProtection(keys())];
  const reads = { media: new CounterModeReading(keys()), control: new CounterModeControlReading(keys()) };
  const wrong: string[] = [];
  const count = 15_000 * often;
  for (let nth = 0; nth < count; nth += 1) {
    const packet = leavingPacket(7, { absSendTimeId: undefined });
    Object.assign(packet.header, { payloadType: 96, marker: true, sequenceNumber: nth & 0xffff });
    const body = randomBytes(chance, upTo(chance, 40));
    const compound = pick(chance, rtcpSeeds());
    const sent = {
      media: Buffer.from(media.protect({ ...packet, rollover: nth >> 16, body })),
      control: Buffer.from(control.protect(compound)),
    };
    for (const kind of ['media', 'control'] as const) {
      const [whole, reading] = [sent[kind], reads[kind]];
      const changed = mutatedBytes(chance, whole);
      if (!changed.equals(whole) && reading.read(Buffer.from(changed))) wrong.push(`${kind} ${nth} changed`);
      const isTaken = reading.read(Buffer.from(whole)) !== undefined;
      if (!isTaken && !changed.equals(whole)) wrong.push(`${kind} ${nth} as it was`);
      if (reading.read(Buffer.from(whole))) wrong.push(`${kind} ${nth} again`);
    }
  }
  expect(wrong).toEqual([]);
});

test('no description makes its reader throw', both, () => {
  const chance = randomFrom(seed + 33);
  for (let nth = 0; nth < 5000 * often; nth += 1) readDescription(mutatedText(chance, offerSeed));
});
