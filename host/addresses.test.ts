import { expect, test } from '@playwright/test';
import { isLoopback, nearnessOf } from './addresses.js';

test('loopback is 127.0.0.0/8, ::1 and localhost, and nothing else', () => {
  const own = ['127.0.0.1', '127.9.9.9', '::1', 'localhost', '::ffff:127.0.0.1'];
  expect(own.filter((host) => !isLoopback(host))).toEqual([]);
  const others = ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', '127.0.0.1.evil.example', ''];
  expect(others.filter(isLoopback)).toEqual([]);
});

test('addresses of this machine and its link are nearer than private ones, and those nearer than public ones', () => {
  const machine = ['127.0.0.1', '0.0.0.0', '169.254.169.254', '::1', '::', 'fe80::1', '::ffff:169.254.169.254'];
  expect(machine.map(nearnessOf)).toEqual(machine.map(() => 2));
  const inside = [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fd00::1',
    '::ffff:10.0.0.1',
    'fec0::1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '192.0.0.192',
    '198.19.0.1',
  ];
  expect(inside.map(nearnessOf)).toEqual(inside.map(() => 1));
  const world = ['203.0.113.7', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8'];
  expect(world.map(nearnessOf)).toEqual(world.map(() => 0));
});
