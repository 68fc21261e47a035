import { cpuUsage } from 'node:process';
import { expect, test } from '@playwright/test';
import { readFrames } from '../../embedded-server/rpc/frame.js';
import { readDescription } from '../../probes/native/description.js';
import { DtlsReading } from '../../rtp/dtls-reading.js';
import { remoteCandidate } from '../../rtp/remote-candidate.js';
import { readRtcp } from '../../rtp/rtcp.js';
import { readRtp } from '../../rtp/rtp.js';
import { readOffer } from '../../rtp/sdp.js';
import { readSignedStun } from '../../rtp/stun-message.js';

/** Work that grows with the square of what it is given takes 16 times as long for four times as much. */
const [some, more] = [100_000, 400_000];
const growthMost = 9;
/** Below that a clock tells nothing. */
const noiseMs = 60;

/** CPU time, as other processes may have the core meanwhile; the least of three. */
function workMs(work: () => unknown): number {
  const once = (): number => {
    const before = cpuUsage();
    work();
    return cpuUsage(before).user / 1000;
  };
  return Math.min(once(), once(), once());
}

const head = 'v=0\r\na=ice-ufrag:u\r\na=ice-pwd:p\r\na=fingerprint:sha-256 AB\r\n';
const lines = (bytes: number, line: (nth: number) => string): string =>
  Array.from({ length: bytes / 20 }, (_, nth) => line(nth)).join('\r\n');
const halves = (bytes: number): string =>
  `${head}m=video 9 UDP/TLS/RTP/SAVPF ${Array.from({ length: bytes / 10 }, (_, nth) => nth).join(' ')}\r\n${lines(bytes / 2, (nth) => `a=rtpmap:${nth} VP8/90000`)}`;

const texts: readonly (readonly [string, (bytes: number) => string])[] = [
  ['quotes', (bytes) => '\\"'.repeat(bytes / 2)],
  ['strings that do not end', (bytes) => '"a\\'.repeat(bytes / 3)],
  ['objects', (bytes) => '{}'.repeat(bytes / 2)],
  ['formats and lines about them', halves],
  [
    'one format again and again',
    (bytes) => `${head}m=video 9 X${' 96'.repeat(bytes / 6)}\r\n${lines(bytes / 2, () => 'a=rtcp-fb:96 nack')}`,
  ],
  ['sections', (bytes) => `${head}${lines(bytes, () => 'm=video 9 X 96')}`],
  ['extensions', (bytes) => `${head}m=video 9 X 96\r\n${lines(bytes, (nth) => `a=extmap:${nth} urn:x`)}`],
  ['candidates', (bytes) => `${head}m=video 9 X 96\r\n${lines(bytes, () => 'a=candidate:1 1 udp 1')}`],
  ['spaces', (bytes) => ' '.repeat(bytes)],
  ['line ends', (bytes) => '\r\n'.repeat(bytes / 2)],
  ['carriage returns', (bytes) => `${head}a=candidate:${'\r'.repeat(bytes)}`],
];

const readers = { readFrames, readOffer, readDescription, remoteCandidate };

for (const [name, of] of texts)
  test(`what reads a text of ${name} looks at each character a bounded number of times`, () => {
    const [short, long] = [of(some), of(more)];
    const slow = Object.entries(readers).flatMap(([reader, read]) => {
      const [least, most] = [workMs(() => read(short)), workMs(() => read(long))];
      return most > noiseMs + growthMost * least ? [`${reader}: ${least} ms, then ${most} ms`] : [];
    });
    expect(slow).toEqual([]);
  });

/** As much as one datagram holds, in so many as make up the bytes. */
const datagramBytes = 65_000;
const zeros = (header: string): Buffer =>
  Buffer.concat([Buffer.from(header, 'hex'), Buffer.alloc(datagramBytes)]).subarray(0, datagramBytes);
const repeated = (hex: string): Buffer => Buffer.alloc(datagramBytes, Buffer.from(hex, 'hex'));
const stun = zeros('0001fdd42112a442');
stun.writeUInt16BE(datagramBytes - 20, 2);

const floods: readonly (readonly [string, Buffer])[] = [
  ['attributes of nothing', stun],
  ['records of nothing', repeated('16fefd00000000000000000000')],
  [
    'pieces of one byte',
    Buffer.concat([Buffer.from('16fefd0000000000000000fdd0', 'hex'), repeated('0b01000000010000000000010a')]),
  ],
  ['reports', repeated('80c90001000000ff')],
  ['feedback', repeated('81cd0003000000010000000200010000')],
  ['header extensions', zeros('90600001000000010000000212345678bede3f00')],
];

test('what reads datagrams looks at each byte a bounded number of times', () => {
  const failed: Error[] = [];
  const dtls = {
    transport: { socket: { onData: () => undefined } },
    dtls: { sortedHandshakeCache: [] },
    cipher: { decryptPacket: () => Buffer.alloc(0) },
    onHandleHandshakes: async () => undefined,
    onError: { execute: (error: Error) => void failed.push(error) },
  };
  const ways = { readSignedStun, readRtcp, readRtp };
  const slow = floods.flatMap(([name, flood]) => {
    const reading = new DtlsReading(dtls, 'client');
    const all = { ...ways, DtlsReading: reading.read };
    return Object.entries(all).flatMap(([reader, read]) => {
      const of = (bytes: number) =>
        workMs(() => {
          for (let left = bytes; left > 0; left -= datagramBytes) read(flood);
        });
      const [least, most] = [of(some), of(more)];
      return most > 4 * noiseMs + growthMost * least ? [`${name}, ${reader}: ${least} ms, then ${most} ms`] : [];
    });
  });
  expect(slow).toEqual([]);
  expect(failed).toEqual([]);
});
