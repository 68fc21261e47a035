import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { processSpace } from '../../host/process-space.js';
import { findLeftovers, removeNetworkLeftovers } from './leftovers.js';
import { boxNamespace, groupNames, natTable, ownerOf } from './names.js';

const dead = 4_194_303;
const alive = 1234;
/** Of a container that shares the host's network: its pids are others. */
const elsewhere = processSpace === '7ya' ? '7yb' : '7ya';

test('what dead processes left is found; what living ones, other containers and others have is not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-'));
  const places = { namespaces: join(root, 'netns'), devices: join(root, 'net'), temporaryRoot: join(root, 'tmp') };
  for (const pid of [dead, alive]) {
    const { namespace, hostDevice, probeDevice } = groupNames(pid, 0);
    for (const name of [namespace, boxNamespace(pid), 'docker-1', 'loadline-notes', `loadline-${pid}-0-${elsewhere}`]) {
      await mkdir(join(places.namespaces, name), { recursive: true });
    }
    for (const name of [hostDevice, probeDevice, 'eth0', 'lldp0', `ll${pid}h0${elsewhere}`])
      await mkdir(join(places.devices, name), { recursive: true });
    await mkdir(join(places.temporaryRoot, `loadline-network-${pid}-${processSpace}-x`), { recursive: true });
  }
  try {
    expect(await findLeftovers(places, (pid) => pid !== dead)).toEqual({
      namespaces: [`loadline-${dead}-0-${processSpace}`, `loadline-${dead}-box-${processSpace}`],
      devices: [`ll${dead}h0${processSpace}`, `ll${dead}p0${processSpace}`],
      folders: [join(places.temporaryRoot, `loadline-network-${dead}-${processSpace}-x`)],
      owners: [dead],
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('what could not be removed is not said to be', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-'));
  const places = { namespaces: join(root, 'netns'), devices: join(root, 'net'), temporaryRoot: root };
  const folder = join(root, `loadline-network-${dead}-${processSpace}-x`);
  try {
    // No such interface is on this host, so nobody can remove it.
    await mkdir(join(places.devices, groupNames(dead, 0).hostDevice), { recursive: true });
    await mkdir(folder);
    expect(await removeNetworkLeftovers(places)).toEqual([folder]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('the names of the largest pid fit an interface, and two runs share no address', () => {
  const names = groupNames(dead, 63);
  expect(names.hostDevice.length).toBeLessThanOrEqual(15);
  expect(ownerOf('device', names.probeDevice)).toBe(dead);
  expect(ownerOf('natTable', natTable(dead))).toBe(dead);
  const addresses = Array.from({ length: 16_384 }, (_, pid) => groupNames(pid, 0).hostAddress);
  expect(new Set(addresses).size).toBe(16_384);
});
