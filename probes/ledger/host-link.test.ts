import { expect, test } from '@playwright/test';
import { type LinkCounts, linkLoadBetween, parseBytes, parseDefaultInterface } from './host-load.js';

const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
wlan0	00000000	0101A8C0	0003	0	0	600	00000000	0	0	0
eth0	00000000	0101A8C0	0003	0	0	100	00000000	0	0	0
eth0	0001A8C0	00000000	0001	0	0	100	00FFFFFF	0	0	0
`;
const counters = `Inter-|   Receive                            |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0
  eth0:1000 2 0 0 0 0 0 0 3000 4 0 0 0 0 0 0
`;
const link = (receivedBytes: number, sentBytes: number, name = 'eth0'): LinkCounts => ({
  name,
  speedKbps: 1000,
  receivedBytes,
  sentBytes,
});

test('the way to others is the interface of the default route with the lowest metric; without one there is none', () => {
  expect(parseDefaultInterface(routes)).toBe('eth0');
  expect(parseDefaultInterface(routes.split('\n').slice(3).join('\n'))).toBeUndefined();
  expect(parseDefaultInterface('')).toBeUndefined();
});

test('bytes are read of its own line, with or without a space after the name', () => {
  expect(parseBytes(counters, 'eth0')).toEqual({ receivedBytes: 1000, sentBytes: 3000 });
  expect(parseBytes(counters, 'lo')).toEqual({ receivedBytes: 9, sentBytes: 9 });
  expect(parseBytes(counters, 'eth')).toBeUndefined();
});

test('the load of a link is that of its fuller direction', () => {
  expect(linkLoadBetween(link(0, 0), link(125_000, 25_000), 1000)).toEqual({ linkKbps: 1000, linkSpeedKbps: 1000 });
  expect(linkLoadBetween(link(0, 0), link(0, 250_000), 2000)).toEqual({ linkKbps: 1000, linkSpeedKbps: 1000 });
});

test('of a link that is another one now, was counted anew or was not read, nothing is known', () => {
  expect(linkLoadBetween(link(0, 0), link(9, 9, 'wlan0'), 1000)).toEqual({});
  expect(linkLoadBetween(link(10, 10), link(9, 20), 1000)).toEqual({});
  expect(linkLoadBetween(undefined, link(9, 9), 1000)).toEqual({});
  expect(linkLoadBetween(link(0, 0), link(9, 9), 0)).toEqual({});
});
