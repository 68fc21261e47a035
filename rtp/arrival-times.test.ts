import { expect, test } from '@playwright/test';
import { ArrivalTimes } from './arrival-times.js';
import { readTransportFeedback } from './transport-feedback.js';

/** What is told of packets that come at these times: number and time of arrival, or `lost`. */
function told(packets: readonly (readonly [number: number, atMs: number])[]): readonly string[][] {
  const arrivals = new ArrivalTimes();
  return packets.flatMap(([number, atMs]) => {
    if (!arrivals.note(number, atMs)) return [];
    return arrivals.take(1, 2, atMs).map((message) => {
      const { base = 0, reference = 0, arrivedMs = [] } = readTransportFeedback(message) ?? {};
      return arrivedMs.map((after, index) => {
        const when = after === undefined ? 'lost' : String(64 * reference + after);
        return `${(base + index) & 0xffff} ${when}`;
      });
    });
  });
}

test('each 100 ms the arrivals since are told, by number, also where numbers wrap', () => {
  const packets = [65_533, 65_534, 65_535, 0, 1, 2].map((number, index) => [number, 6400 + 40 * index] as const);
  expect(told(packets)).toEqual([['65533 6400', '65534 6440', '65535 6480', '0 6520']]);
  expect(told([...packets, [3, 6640]])[1]).toEqual(['1 6560', '2 6600', '3 6640']);
});

test('what is missing is told as lost, also at the beginning of a message, and told anew when it comes after all', () => {
  const packets = [
    [10, 0],
    [12, 50],
    [13, 100],
    [15, 150],
    [14, 160],
    [11, 170],
    [17, 200],
  ] as const;
  expect(told(packets)).toEqual([
    ['10 0', '11 lost', '12 50', '13 100'],
    ['11 170', '12 50', '13 100', '14 160', '15 150', '16 lost', '17 200'],
  ]);
});

test('a packet counts once, and numbers far away are another beginning', () => {
  const packets = [
    [1, 0],
    [2, 10],
    [2, 30],
    [30_000, 200],
    [30_001, 250],
    [30_002, 300],
  ] as const;
  expect(told(packets)).toEqual([['30000 200', '30001 250', '30002 300']]);
});
