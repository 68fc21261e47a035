import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import type { IceServer } from '../../model/signalling.js';
import { ownRelay } from './own-relay.js';

const known = { username: 'u', credential: 'c' };
const named: readonly IceServer[] = [
  { urls: ['stun:s.example'] },
  { urls: ['turn:a.example:3478?transport=udp'] },
  { urls: ['turn:b.example:53', 'turns:b.example:443?transport=tcp', 'turn:b.example', 'turn:c.example'], ...known },
];

async function chosen(protocol: 'udp' | 'tcp' | 'tls', servers: readonly IceServer[]): Promise<IceServer> {
  const { signal } = new AbortController();
  const open = await ownRelay(protocol).open({ lifetimeMs: 1000, onLost: () => undefined }, signal);
  try {
    return open.among(servers);
  } finally {
    await open.close();
  }
}

test('of the ICE servers that a media server names, the first TURN address of the protocol that has a login is used', async () => {
  expect(await chosen('udp', named)).toEqual({ urls: ['turn:b.example'], ...known });
  expect(await chosen('tls', named)).toEqual({ urls: ['turns:b.example:443?transport=tcp'], ...known });
});

for (const [what, servers, why] of [
  ['none over the protocol', named, 'it names stun:s.example, turn:a.example:3478?transport=udp, turn:b.example:53, '],
  ['no ICE server', [], 'it names no ICE server to the probe'],
] as const) {
  test(`a media server that names ${what} is told with what it names`, async () => {
    const error: LoadlineError = await chosen('tcp', servers).then(
      () => Promise.reject(new Error('one was chosen')),
      (refused: LoadlineError) => refused,
    );
    expect(error).toMatchObject({
      code: 'E_TURN_NOT_NAMED',
      message: 'The media server names no TURN server over tcp.',
    });
    expect(error.why).toContain(why);
  });
}
