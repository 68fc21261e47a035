import { expect, test } from '@playwright/test';
import { chooseMeans, type HostMeans } from '../../server-setup/network/means.js';
import { roomOf } from '../wiring/host-room.js';
import {
  type Check,
  checkCalibration,
  checkCgroup,
  checkChromium,
  checkCores,
  checkMemory,
  checkNetworks,
  checkNode,
  checkOpenFiles,
  checkPorts,
  checkProgram,
  checkReceiveBuffer,
  checkRights,
  checkServer,
  checkWhoPlays,
  doctorReport,
} from './checks.js';

const program = { name: 'ffprobe', neededFor: 'checking recordings', install: 'apt-get install ffmpeg' };
const hostMeans: HostMeans = {
  kernel: '6',
  kernelConfig: '# CONFIG_NET_SCH_NETEM is not set\n',
  netemModule: false,
  programs: new Set(['ip', 'tc', 'linux.uml', 'unshare', 'setpriv', 'insmod']),
  mayChangeNetworks: true,
  forwards: true,
};
const withNft: HostMeans = { ...hostMeans, programs: new Set([...hostMeans.programs, 'nft']) };
const calibrated = (chromium: string) => ({
  chromium,
  full: { carries: 22 },
  encoded: { carries: 140 },
  native: { carries: 300 },
});
const free = { udp: true, tcp: true };

const table: readonly (readonly [string, Check, Check['mark'], string])[] = [
  ['Node 20.19', checkNode('20.19.0'), 'ok', 'Node 20.19.0'],
  ['Node 24', checkNode('24.1.0'), 'ok', 'Node 24'],
  ['Node 20.18', checkNode('20.18.3'), 'fail', 'too old'],
  ['Node 18', checkNode('18.20.0'), 'fail', 'too old'],
  ['no Chromium', checkChromium(undefined), 'fail', 'no Chromium'],
  ['a Chromium that starts', checkChromium({ path: '/c', version: '156' }), 'ok', 'fake camera'],
  [
    'a Chromium without libraries',
    checkChromium({ path: '/c', version: '156', lacks: { text: 'no libnss' } }),
    'fail',
    'libnss',
  ],
  ['root with all rights', checkRights(0, '000001ffffffffff'), 'ok', 'root'],
  ['root in a container', checkRights(0, '00000000a80425fb'), 'warn', 'without CAP_NET_ADMIN'],
  ['a user', checkRights(1000, '0000000000000000'), 'warn', 'neither'],
  ['a user with CAP_NET_ADMIN', checkRights(1000, '0000000000001000'), 'warn', 'without root'],
  ['native probes of a user', checkWhoPlays('native', 1000, undefined), 'ok', 'as this user'],
  ['native probes of root', checkWhoPlays('native', 0, undefined), 'ok', 'as nobody'],
  [
    'a Node that nobody else may read',
    checkWhoPlays('native', 0, 'nobody but root may read /root/node'),
    'warn',
    'run as root: nobody but root may read /root/node',
  ],
  ['28232 ports', checkPorts({ udpPorts: 28_232 }, free), 'ok', '28232'],
  ['100 ports', checkPorts({ udpPorts: 100 }, free), 'warn', '100 in the ephemeral range'],
  ['no UDP', checkPorts({ udpPorts: 28_232 }, { udp: false, tcp: true }), 'fail', 'no UDP port'],
  ['neither', checkPorts({}, { udp: false, tcp: false }), 'fail', 'no UDP and no TCP port'],
  ['20000 files', checkOpenFiles({ openFiles: 20_000 }), 'ok', '20000'],
  ['1024 files', checkOpenFiles({ openFiles: 1024 }), 'warn', 'about 768 connections'],
  ['64 files', checkOpenFiles({ openFiles: 64 }), 'fail', '64'],
  ['unknown files', checkOpenFiles({}), 'warn', 'not known'],
  ['the usual receive buffer', checkReceiveBuffer(212_992), 'warn', '208 KiB'],
  ['a large receive buffer', checkReceiveBuffer(2_500_000), 'ok', '2441 KiB'],
  [
    'cores shared with the server',
    checkCores(2, 'kind://HOST:PORT'),
    'warn',
    'about 4 calls of full probes (8), or 16 of encoded ones (32)',
  ],
  ['cores of its own', checkCores(2, undefined), 'ok', 'about 4 calls of full probes (8), or 16 of encoded ones (32)'],
  [
    'a calibrated host',
    checkCalibration([calibrated('156')], '156'),
    'ok',
    'about 300 native, 140 encoded or 22 full probes',
  ],
  ['another Chromium', checkCalibration([calibrated('155')], '156'), 'warn', 'measured with Chromium 155'],
  ['an unknown host', checkCalibration([], '156'), 'warn', 'never measured'],
  ['enough memory', checkMemory({ memoryMb: 8000 }), 'ok', '8000 MiB'],
  ['little memory', checkMemory({ memoryMb: 512 }), 'fail', '512 MiB'],
  [
    'netem built in',
    checkNetworks(chooseMeans({ ...hostMeans, kernelConfig: 'CONFIG_NET_SCH_NETEM=y\n' })),
    'ok',
    'kernel 6 has netem',
  ],
  ['networks that are missed', checkNetworks({ ok: false, why: 'no tc', todo: 'x' }), 'warn', 'no tc'],
  [
    'networks that were asked for and are missed',
    checkNetworks({ ok: false, why: 'no tc', todo: 'x' }, { asked: true }),
    'fail',
    'no tc',
  ],
  ['netem as a module', checkNetworks(chooseMeans({ ...hostMeans, netemModule: true })), 'ok', 'own netem'],
  ['User-mode Linux', checkNetworks(chooseMeans(hostMeans)), 'ok', 'User-mode Linux is here'],
  [
    'a User-mode Linux that does not come up',
    checkNetworks(chooseMeans({ ...hostMeans, umlLack: 'it stopped' })),
    'warn',
    'does not come up: it stopped',
  ],
  ['neither', checkNetworks(chooseMeans({ ...hostMeans, programs: new Set(['ip', 'tc']) })), 'warn', 'linux.uml'],
  [
    'no iproute2',
    checkNetworks(chooseMeans({ ...hostMeans, programs: new Set() })),
    'warn',
    'iproute2 is not installed',
  ],
  ['no right to networks', checkNetworks(chooseMeans({ ...hostMeans, mayChangeNetworks: false })), 'warn', 'need root'],
  ['nft to a server elsewhere', checkNetworks(chooseMeans(withNft, true)), 'ok', 'User-mode Linux is here'],
  ['no nft to a server elsewhere', checkNetworks(chooseMeans(hostMeans, true)), 'warn', 'nft (nftables) is not'],
  [
    'no forwarding to a server elsewhere',
    checkNetworks(chooseMeans({ ...withNft, forwards: false }, true)),
    'warn',
    'does not forward packets',
  ],
  ['cgroup v2', checkCgroup('v2'), 'ok', 'v2'],
  ['no cgroup', checkCgroup(undefined), 'warn', 'no cgroup'],
  ['a program that is there', checkProgram(program, true), 'ok', 'ffprobe'],
  ['a program that is not', checkProgram(program, false), 'warn', 'checking recordings only'],
  ['a server that answers', checkServer('ws://a', { name: 'kurento 7.3.0' }), 'ok', 'kurento 7.3.0 answers at ws://a'],
  ['a server that does not', checkServer('ws://a', { failure: 'refused', remedy: 'start it' }), 'fail', 'refused'],
];

for (const [what, check, mark, says] of table) {
  test(`${what} is ${mark}, with "${says}"`, () => {
    expect(check.mark).toBe(mark);
    expect(check.text).toContain(says);
    if (mark !== 'ok') expect(check.remedy).toMatch(/\S/);
  });
}

test('one failed check is exit 2, warnings alone are exit 0, and each remedy follows its line', () => {
  const checks = [checkNode('20.19.0'), checkCgroup(undefined)];
  expect(doctorReport(checks)).toMatchObject({ exitCode: 0 });
  const { text, exitCode } = doctorReport([...checks, checkNode('18.0.0')]);
  expect(exitCode).toBe(2);
  expect(text).toMatch(/ {2}✗ Node 18\.0\.0 is too old\n {6}do {2}install Node/);
  expect(text).toContain('find would not work here: 1 ✗');
});

test('what a host has is read from the files of proc(5), and what they do not say is not made up', () => {
  const memory = 'MemTotal: 2048 kB\nMemAvailable:    1048576 kB\n';
  const limits = 'Max open files            1024                 4096                 files\n';
  expect(roomOf({ memory, limits, ports: '32768\t60999\n' })).toEqual({
    memoryMb: 1024,
    openFiles: 1024,
    udpPorts: 28_232,
  });
  expect(roomOf({ memory: '', limits: '', ports: '' })).toEqual({});
});
