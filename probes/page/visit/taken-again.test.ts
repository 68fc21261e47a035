import { expect, test } from '@playwright/test';
import { lossPercent, lossSpans } from '../../../tests/whole-lists.js';
import { streamSamples } from '../stream-samples.js';
import { takenAgain } from './taken-again.js';

const answer = (direction: string, codec: string) =>
  [
    ...['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111', `a=${direction}`, 'a=rtpmap:111 opus/48000/2'],
    ...['m=video 9 UDP/TLS/RTP/SAVPF 96 97', `a=${direction}`, 'a=rtpmap:96 VP8/90000', `a=rtpmap:97 ${codec}/90000`],
  ].join('\r\n');

test('who takes pictures again on an SSRC of their own says so where it receives', () => {
  expect(takenAgain(answer('recvonly', 'rtx'))).toEqual(['video']);
  expect(takenAgain(answer('sendrecv', 'RTX'))).toEqual(['video']);
  expect(takenAgain(answer('sendonly', 'rtx'))).toEqual([]);
  expect(takenAgain(answer('recvonly', 'red'))).toEqual([]);
  expect(takenAgain('')).toEqual([]);
});

test('of a page that sends again so, what was repaired is no loss', () => {
  const report = (second: number, lost: number, resent: number) => {
    const [timestamp, sent] = [1000 * second, { kind: 'video', packetsSent: 100 * second + resent }];
    const entries = [
      { id: 'out', type: 'outbound-rtp', timestamp, remoteId: 'in', retransmittedPacketsSent: resent, ...sent },
      { id: 'in', type: 'remote-inbound-rtp', timestamp, kind: 'video', packetsLost: lost, jitter: 0 },
    ];
    return new Map(entries.map((entry) => [entry.id, entry]));
  };
  const reports = [report(1, 0, 0), report(2, 0, 0), report(3, 5, 5), report(4, 5, 5)];
  const lossBy = (description: string) => {
    const leg = { id: '1', sends: ['video'] as const, receives: [] };
    const facts = { ageMs: 60_000, rtx: takenAgain(description) };
    const readings = reports.slice(1).map((now, nth) => {
      const [stream] = streamSamples(leg, reports[nth], now, facts);
      return { atMs: 1000 * (nth + 2), intervalMs: 1000, stream };
    });
    return lossPercent(lossSpans(readings));
  };
  expect(lossBy(answer('recvonly', 'rtx'))).toBe(0);
  expect(lossBy(answer('recvonly', 'red'))).toBe(2.5);
});
