import { expect, test } from '@playwright/test';
import { firstPort, redirectLines, reshapeLines, shapeLines, slotsFor } from './shape.js';

const shape = { device: 'eth1', port: 'source', link: { delayMs: 40 }, slots: 32 } as const;

test('each connection has a netem of its own, found by the low byte of its port', () => {
  const lines = shapeLines(shape);
  expect(lines.filter((line) => line.includes('netem'))).toHaveLength(33);
  expect(lines).toContain(
    'qdisc add dev eth1 parent 1:20 handle 2f: netem limit 10000 delay 40000us 0us 0% corrupt 0% rate 0bit',
  );
  expect(lines).toContain('filter add dev eth1 parent 1: protocol ip prio 2 u32 ht 2:1f: match u32 0 0 flowid 1:20');
  // Without a number of a table, which would be that of ARP.
  expect(lines.at(-1)).toBe(
    'filter add dev eth1 parent 1: protocol ip prio 2 u32 match u32 0 0 hashkey mask 0x00ff0000 at 20 link 2:',
  );
  expect(firstPort % 256).toBe(0);
});

test('a device is shaped anew as often as trials come: its htb gives way before the next one is made', () => {
  expect(shapeLines(shape).slice(0, 2)).toEqual([
    'qdisc replace dev eth1 root handle fffd: pfifo',
    'qdisc replace dev eth1 root handle 1: htb default ffff',
  ]);
});

test('a change to a link without a rate and corruption ends both', () => {
  const [line] = reshapeLines({ ...shape, link: {} });
  expect(line).toMatch(/ delay 0us 0us 0% corrupt 0% rate 0bit$/);
});

test('on the way down the port of the receiver counts', () => {
  expect(shapeLines({ ...shape, port: 'destination' }).at(-1)).toContain('hashkey mask 0x000000ff at 20');
});

test('ARP is never lost, and what is no connection is shaped, too', () => {
  const lines = shapeLines(shape);
  expect(lines).toContain('filter add dev eth1 parent 1: protocol arp prio 1 u32 match u32 0 0 flowid 1:fffe');
  expect(lines.some((line) => line.includes('parent 1:fffe netem'))).toBe(false);
  expect(lines).toContain(
    'qdisc add dev eth1 parent 1:ffff netem limit 10000 delay 40000us 0us 0% corrupt 0% rate 0bit',
  );
});

test('a change over time names every netem by its handle and removes none', () => {
  const lines = reshapeLines(shape);
  expect(lines).toHaveLength(32);
  expect(lines[31]).toBe(
    'qdisc change dev eth1 parent 1:20 handle 2f: netem limit 10000 delay 40000us 0us 0% corrupt 0% rate 0bit',
  );
});

for (const [connections, slots] of [
  [0, 32],
  [16, 32],
  [17, 64],
  [128, 256],
] as const) {
  test(`${connections} connections find their ports among ${slots}`, () => {
    expect(slotsFor(connections)).toBe(slots);
  });
}

test('what comes in at one end of the box goes out at the other', () => {
  expect(redirectLines('a', 'b').filter((line) => line.startsWith('filter'))).toEqual([
    'filter add dev a parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev b',
    'filter add dev b parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev a',
  ]);
});
