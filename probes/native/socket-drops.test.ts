import { expect, test } from '@playwright/test';
import { dropsByPort, dropsSince } from './socket-drops.js';

/** Lines as Linux writes them (proc(5)). */
const table = (drops: Readonly<Record<number, number>>) =>
  [
    '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops             ',
    ...Object.entries(drops).map(
      ([port, count], index) =>
        ` ${1000 + index}: 0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 63466 2 0000000000000000 ${count}         `,
    ),
    '',
  ].join('\n');

test('what was dropped is counted of our own ports alone, and each datagram once', () => {
  const ours = new Set([5000, 40_123]);
  const before = dropsByPort(table({ 5000: 3, 53: 900, 40123: 0 }), ours);
  const after = dropsByPort(table({ 5000: 10, 53: 2000, 40123: 2 }), ours);
  expect(dropsSince(new Map(), before)).toBe(3);
  expect(dropsSince(before, after)).toBe(9);
  expect(dropsSince(after, after)).toBe(0);
});

test('a port that is closed and used again has dropped nothing below zero', () => {
  const ours = new Set([5000]);
  expect(dropsSince(dropsByPort(table({ 5000: 10 }), ours), dropsByPort(table({ 5000: 0 }), ours))).toBe(0);
});
