import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findLeftovers } from './leftovers.js';
import { boxNamespace, groupNames, natTable, ownerOf } from './names.js';

const dead = 4_194_303;
const alive = 1234;

test('what dead processes left is found; what living ones and others have is not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-'));
  const places = { namespaces: join(root, 'netns'), devices: join(root, 'net'), temporaryRoot: join(root, 'tmp') };
  for (const pid of [dead, alive]) {
    const { namespace, hostDevice, probeDevice } = groupNames(pid, 0);
    for (const name of [namespace, boxNamespace(pid), 'docker-1', 'loadline-notes']) {
      await mkdir(join(places.namespaces, name), { recursive: true });
    }
    for (const name of [hostDevice, probeDevice, 'eth0', 'lldp0'])
      await mkdir(join(places.devices, name), { recursive: true });
    await mkdir(join(places.temporaryRoot, `loadline-network-${pid}-x`), { recursive: true });
  }
  try {
    expect(await findLeftovers(places, (pid) => pid !== dead)).toEqual({
      namespaces: [`loadline-${dead}-0`, `loadline-${dead}-box`],
      devices: [`ll${dead}h0`, `ll${dead}p0`],
      folders: [join(places.temporaryRoot, `loadline-network-${dead}-x`)],
      owners: [dead],
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('the names of the largest pid fit an interface, and two runs share no address', () => {
  const names = groupNames(dead, 7);
  expect(names.hostDevice.length).toBeLessThanOrEqual(15);
  expect(ownerOf('device', names.probeDevice)).toBe(dead);
  expect(ownerOf('natTable', natTable(dead))).toBe(dead);
  const addresses = Array.from({ length: 16_384 }, (_, pid) => groupNames(pid, 0).hostAddress);
  expect(new Set(addresses).size).toBe(16_384);
});
