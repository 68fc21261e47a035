import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { RTCDtlsTransport } from 'werift';
import { allowedOnly } from '../../probes/allowed.js';
import { soon } from '../soon.js';
import { aCertificate, FarEnd } from './far-end.js';
import { openProbe } from './victims.js';

/** What is to be seen not to happen: loopback takes a thousandth of it. */
const noneMs = 400;

test('a native probe that may not send there answers no check, however rightly signed, and sends none to a candidate', async () => {
  await RTCDtlsTransport.SetupCertificate();
  const asked: string[] = [];
  const allowed = allowedOnly(['10.0.0.0/24']);
  const addresses = {
    permits: (source: string) => allowed.forbidden({ source }) === undefined,
    onForbidden: (address: string) => void asked.push(address),
  };
  const certificate = await aCertificate();
  const [victim, end] = [await openProbe('client', addresses), await FarEnd.open(certificate, certificate)];
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const heard: Buffer[] = [];
  silent.on('message', (datagram) => void heard.push(datagram));
  victim.connect(end.told, (silent.address() as AddressInfo).port);
  const told = asked.length;
  expect(told).toBe(1);
  void end.connect(victim, 'client', true);
  await soon(() => asked.length, { timeout: 8000 }).toBeGreaterThan(told + 1);
  await pause(noneMs);
  expect(new Set(asked)).toEqual(new Set(['127.0.0.1']));
  expect(heard).toEqual([]);
  expect(victim.happened).toEqual([]);
  expect(end.ice.state).not.toBe('connected');
  silent.close();
  await Promise.all([victim.close(), end.close()]);
});
