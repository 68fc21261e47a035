import { expect, test } from '@playwright/test';
import { middleOf, toNtp } from '../../rtp/ntp.js';
import { type ReportBlock, readRtcp } from '../../rtp/rtcp.js';
import type { IncomingTrack } from './incoming-track.js';
import { ReceiveStream } from './receive-stream.js';
import { Reports, type ReportsOptions } from './reports.js';

const startMs = 1_800_000_000_000;

/** A stream of video whose sender report came at the start. */
function reporting(imitation: ReportsOptions['imitation']): { tick(afterMs: number): Buffer | undefined } {
  const stream = new ReceiveStream(7, 90_000);
  stream.count(1, 0, startMs);
  const sentAt = toNtp(startMs);
  stream.noteSenderReport(sentAt.ntpSeconds, sentAt.ntpFraction, startMs);
  const reports = new Reports({
    cname: 'c',
    ssrcs: { audio: 1, video: 2 },
    imitation,
    tracks: () => [{ kind: 'video', stream } as IncomingTrack],
    sends: () => [],
    videoCapBps: () => 500_000,
  });
  return { tick: (afterMs) => reports.tick(startMs + afterMs) };
}

const blocksOf = (compound: Buffer | undefined): readonly ReportBlock[] =>
  readRtcp(compound ?? Buffer.alloc(0)).flatMap((message) => ('reports' in message ? message.reports : []));

/** As libwebrtc has it: the time now less LSR less DLSR, in 32 bits (RFC 3550, 6.4.1). */
function roundTripSeconds(block: ReportBlock | undefined, arrivedAfterMs: number): number {
  const now = middleOf(toNtp(startMs + arrivedAfterMs));
  return ((now - (block?.lastSenderReport ?? 0) - (block?.delaySinceLastSenderReport ?? 0)) >>> 0) / 65_536;
}

test('reports come at their interval, and the cap of the sender each second all the same', () => {
  const every = (reportIntervalMs: number): readonly string[] => {
    const { tick } = reporting({ reportIntervalMs });
    return Array.from({ length: 10 }, (_, index) => {
      const compound = tick(1000 * (index + 1));
      expect(readRtcp(compound ?? Buffer.alloc(0))).toContainEqual({ type: 'remb', bitrateBps: 500_000, ssrcs: [7] });
      return blocksOf(compound).length > 0 ? 'report' : '-';
    });
  };
  expect(every(1000)).toEqual(Array(10).fill('report'));
  expect(every(5000)).toEqual(['-', '-', '-', '-', 'report', '-', '-', '-', '-', 'report']);
});

test('a report that has underflowed makes a round trip of 20 ms one of 1526.31 s, every n-th alone', () => {
  const { tick } = reporting({ reportIntervalMs: 1000, wrappedReport: 3 });
  const roundTrips = [300, 1300, 2300, 3300, 4300, 5300].map((afterMs) =>
    roundTripSeconds(blocksOf(tick(afterMs))[0], afterMs + 20),
  );
  const [plain, wrapped] = [0.02, 1526.310451];
  for (const [index, expected] of [plain, plain, wrapped, plain, plain, wrapped].entries()) {
    expect(roundTrips[index]).toBeCloseTo(expected, 4);
  }
});

test('the delay that has underflowed is 2^64 nanoseconds more, in 1/65536 s, as far as 32 bits hold it', () => {
  const compound = reporting({ reportIntervalMs: 1000, wrappedReport: 1 }).tick(0);
  // 4194940325: floor(2^64 × 65536 / 10^9) mod 2^32.
  expect(compound?.subarray(28, 32).toString('hex')).toBe('fa09b5a5');
});

test('a stream without a sender report has no delay to underflow', () => {
  const stream = new ReceiveStream(7, 90_000);
  stream.count(1, 0, startMs);
  const options = { cname: 'c', ssrcs: { audio: 1, video: 2 }, sends: () => [], videoCapBps: () => 1 };
  const imitation = { reportIntervalMs: 1000, wrappedReport: 1 };
  const reports = new Reports({ ...options, imitation, tracks: () => [{ kind: 'video', stream } as IncomingTrack] });
  expect(blocksOf(reports.tick(startMs))).toMatchObject([{ lastSenderReport: 0, delaySinceLastSenderReport: 0 }]);
});
