import { expect, test } from '@playwright/test';
import { iceServersOf } from './link-header.js';

const turn = (credential: string, username = 'user') => ({
  urls: ['turn:turn.example.net?transport=udp'],
  username,
  credential,
});
const stun = { urls: ['stun:stun.example.net'] };

for (const [how, header, servers] of [
  [
    'as the standard has it, joined into one field by a proxy',
    '<stun:stun.example.net>; rel="ice-server", <turn:turn.example.net?transport=udp>; rel="ice-server"; username="1700000000:u"; credential="a,b;c=="; credential-type="password"',
    [stun, turn('a,b;c==', '1700000000:u')],
  ],
  [
    'with a semicolon at the end, and a colon for an equals sign',
    '<stun:stun.example.net>; rel="ice-server";, <turn:turn.example.net?transport=udp>; rel="ice-server"; username="user"; credential="myPassword"; credential-type: "password";',
    [stun, turn('myPassword')],
  ],
  [
    'without angle brackets, with colons',
    'stun:stun.example.net; rel="ice-server";, turn:turn.example.net?transport=udp; rel="ice-server"; username="user"; credential: "myPassword"; credential-type: "password";',
    [stun, turn('myPassword')],
  ],
  [
    'with angle brackets and colons',
    '<turn:turn.example.net?transport=udp>; rel="ice-server"; username="user"; credential: "myPassword"; credential-type: "password"',
    [turn('myPassword')],
  ],
  [
    'among links of other kinds',
    '</session/1/delete>; rel="session-delete", <https://h/controls>; rel="playback-controls", <stun:stun.example.net>; rel=ice-server, </sse>; rel="urn:ietf:params:whep:ext:core:server-sent-events"; events="layers"',
    [stun],
  ],
  [
    'several addresses, in their order',
    '<stun:a.example>; rel=ice-server, <stun:b.example>; rel="ice-server"',
    [{ urls: ['stun:a.example'] }, { urls: ['stun:b.example'] }],
  ],
  [
    'of one TURN server by several ways',
    '<turn:198.51.100.1:3478?transport=udp>; rel="ice-server"; username="user"; credential="pass"; credential-type="password", <turns:198.51.100.1:443?transport=tcp>; rel="ice-server"; username="user"; credential="pass"; credential-type="password"',
    ['turn:198.51.100.1:3478?transport=udp', 'turns:198.51.100.1:443?transport=tcp'].map((url) => ({
      urls: [url],
      username: 'user',
      credential: 'pass',
    })),
  ],
] as const) {
  test(`ICE servers of Link headers are read ${how}`, () => {
    expect(iceServersOf(header)).toEqual({ iceServers: servers, unusable: [] });
  });
}

for (const [header, says] of [
  ['<turn:t.example>; rel="ice-server"; username="u"', /^turn:t.example: it has no username or no credential$/],
  ['<turn:t.example>; username="u"; credential="c"', /no rel="ice-server"/],
  ['<stun:s.example:53>; rel="ice-server"', /^stun:s.example:53: browsers send nothing to port 53$/],
  [
    '<turn:t.example:53?transport=udp>; rel="ice-server"; username="u"; credential="hush"',
    /^turn:t.example:53\?transport=udp: browsers send nothing to port 53$/,
  ],
  ['<https://t.example>; rel="ice-server"', /no address of STUN or TURN/],
  ['<turn:t.example>; rel="ice-server"; username="u"; credential="hush"; credential-type="oauth"', /type is oauth$/],
] as const) {
  test(`${header} is named as unusable, without its credentials`, () => {
    const { iceServers, unusable } = iceServersOf(header);
    expect(iceServers).toEqual([]);
    expect(unusable).toHaveLength(1);
    expect(unusable[0]).toMatch(says);
    expect(unusable[0]).not.toContain('hush');
  });
}

test('a header of any length and any shape ends, and says nothing by itself', () => {
  for (const header of [
    null,
    '',
    ',;,;',
    '"',
    '<',
    '<stun:a',
    '; rel=x',
    '\\"\\',
    'a'.repeat(100_000),
    '<>;'.repeat(30_000),
  ]) {
    expect(iceServersOf(header)).toEqual({ iceServers: [], unusable: [] });
  }
});
