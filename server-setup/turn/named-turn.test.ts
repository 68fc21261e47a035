import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { turnOf } from '../../cli/options/turn-flags.js';
import { readNamedTurns } from './named-turn.js';

const folder = mkdtempSync(join(tmpdir(), 'named-turn-'));
test.afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(value: unknown): string {
  const path = join(folder, 'ice-servers.json');
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
const urlsOf = (value: unknown) => readNamedTurns(fileOf(value)).servers.map(({ address }) => address.url);

const login = { username: 'USER', credential: 'CREDENTIAL' };
/** As a provider answers with one server in place of a list, and with several since then. */
const single = {
  iceServers: {
    urls: ['stun:t.example:3478', 'turn:t.example:3478?transport=udp', 'turns:t.example:5349?transport=tcp'],
    ...login,
  },
};
const several = {
  iceServers: [
    { urls: ['stun:t.example:3478', 'stun:t.example:53'] },
    {
      urls: [
        'turn:t.example:3478?transport=udp',
        'turn:t.example:53?transport=udp',
        'turn:t.example:80?transport=tcp',
        'turns:t.example:443?transport=tcp',
      ],
      ...login,
    },
  ],
};

test("TURN servers of a provider's JSON are read in their order, in each of its shapes", () => {
  const both = ['turn:t.example:3478?transport=udp', 'turns:t.example:5349?transport=tcp'];
  expect(urlsOf(single)).toEqual(both);
  expect(urlsOf([single.iceServers])).toEqual(both);
  expect(urlsOf({ urls: both[0], ...login })).toEqual(both.slice(0, 1));
  expect(readNamedTurns(fileOf(single)).servers[0]?.secrets).toEqual({
    ...{ kind: 'account', username: 'USER', password: 'CREDENTIAL' },
  });
});

test('what no browser asks costs no time: servers of STUN and port 53 are left out', () => {
  expect(urlsOf(several)).toEqual([
    'turn:t.example:3478?transport=udp',
    'turn:t.example:80?transport=tcp',
    'turns:t.example:443?transport=tcp',
  ]);
});

test('all probes go over one protocol: that of --turn, or of the first address', () => {
  const turnServer = readNamedTurns(fileOf(several));
  const server = turnServer.text;
  expect(turnOf({ turn: undefined, turnServer })).toEqual({ protocol: 'udp', server });
  expect(turnOf({ turn: 'tls', turnServer })).toEqual({ protocol: 'tls', server });
  expect(() => turnOf({ turn: 'tls', turnServer: readNamedTurns('turn:t.example') })).toThrow(/different protocols/);
});

for (const [value, why] of [
  ['hush', /no JSON with iceServers/],
  [{ iceServers: [{ urls: ['stun:t.example'] }] }, /no TURN server that browsers/],
  [{ iceServers: [{ urls: ['turn:t.example:53'], ...login }] }, /no TURN server that browsers/],
  [{ iceServers: [{ urls: ['turn:t.example'], credential: 'hush' }] }, /^turn:t.example has no username/],
] as const) {
  test(`${JSON.stringify(value)} as a file of TURN servers is refused, without its credentials`, () => {
    const path = fileOf(value);
    expect(() => readNamedTurns(path)).toThrow(
      expect.objectContaining({ code: 'E_TURN_URL', why: expect.stringMatching(why) }),
    );
    expect(() => readNamedTurns(path)).not.toThrow(/hush/);
  });
}
