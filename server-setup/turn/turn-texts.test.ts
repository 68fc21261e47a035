import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import { coturnConfig } from './coturn-config.js';
import { CoturnLog } from './coturn-log.js';
import { howCoturnEnded } from './coturn-process.js';
import { credentialsFor } from './credentials.js';
import { parseTurnUrl } from './turn-url.js';

const read: readonly (readonly [string, string, string, number])[] = [
  ['turn:relay.example', 'turn:relay.example:3478?transport=udp', 'udp', 3478],
  ['turn:10.0.0.5:3479', 'turn:10.0.0.5:3479?transport=udp', 'udp', 3479],
  ['turn:10.0.0.5:80?transport=tcp', 'turn:10.0.0.5:80?transport=tcp', 'tcp', 80],
  ['TURNS:relay.example', 'turns:relay.example:5349?transport=tcp', 'tls', 5349],
  ['turns:[2001:db8::1]:443?transport=tcp', 'turns:[2001:db8::1]:443?transport=tcp', 'tls', 443],
];
for (const [text, url, protocol, port] of read) {
  test(`${text} is reached over ${protocol} at port ${port}`, () => {
    expect(parseTurnUrl(text)).toMatchObject({ url, protocol, port });
  });
}

const unreadable: readonly (readonly [string, string])[] = [
  ['relay.example', 'begin with turn:'],
  ['http://relay.example', 'begin with turn:'],
  ['turn://relay.example', 'HOST:PORT'],
  ['turn:user:secret@relay.example', 'user name or password'],
  ['turn:relay.example:0', '0 is no port'],
  ['turn:relay.example:53?transport=udp', 'browsers send nothing to port 53'],
  ['turn:relay.example:70000', '70000 is no port'],
  ['turn:relay.example?transport=sctp', 'no transport "sctp"'],
  ['turns:relay.example?transport=udp', 'DTLS'],
  ['turn:', 'HOST'],
];
for (const [text, why] of unreadable) {
  test(`the TURN address "${text}" cannot be read: ${why}`, () => {
    const error = thrownBy(() => parseTurnUrl(text));
    expect(error?.code).toBe('E_TURN_URL');
    expect(error?.why).toContain(why);
  });
}

function thrownBy(act: () => unknown): LoadlineError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof LoadlineError ? error : undefined;
  }
}

test('credentials of a shared secret name their end and are signed; those of an account are its own', () => {
  const { username, credential } = credentialsFor({ kind: 'shared', secret: 'north' }, '3a', 1_800_000_000_500);
  expect(username).toBe('1800000001:3a');
  expect(credential).toBe(createHmac('sha1', 'north').update('1800000001:3a').digest('base64'));
  const account = credentialsFor({ kind: 'account', username: 'ann', password: 'p' }, '3a', 0);
  expect(account).toEqual({ username: 'ann', credential: 'p' });
});

const config = { listenAddress: '127.0.0.1', port: 4000, secret: 's', threads: 2, folder: '/tmp/f' };

test('coturn is open to the one protocol that was asked for', () => {
  const lines = (protocol: 'udp' | 'tcp' | 'tls') =>
    coturnConfig({ ...config, relayAddress: '127.0.0.1', protocol }).split('\n');
  expect(lines('udp')).toEqual(expect.arrayContaining(['listening-port=4000', 'no-tcp', 'no-tls', 'no-dtls']));
  expect(lines('udp')).not.toContain('no-udp');
  expect(lines('tcp')).toEqual(expect.arrayContaining(['listening-port=4000', 'no-udp', 'no-tls']));
  expect(lines('tls')).toEqual(
    expect.arrayContaining(['tls-listening-port=4000', 'no-udp', 'cert=/tmp/f/certificate.pem']),
  );
  expect(lines('tls')).not.toContain('no-tls');
});

test('peers on loopback are allowed only where the relay itself is there', () => {
  const of = (relayAddress: string) => coturnConfig({ ...config, relayAddress, protocol: 'udp' });
  expect(of('127.0.0.1')).toContain('allow-loopback-peers');
  expect(of('10.0.0.5')).not.toContain('allow-loopback-peers');
});

test('the log of coturn gives allocations and bytes, told in parts, without those of the check', () => {
  const log = new CoturnLog();
  const lines = [
    '0: : session 001000000000000001: new, realm=<loadline>, username=<1795272742:check>, lifetime=600',
    '0: : session 001000000000000001: usage: realm=<loadline>, username=<1795272742:check>, rp=2, rb=300, sp=2, sb=200',
    '0: : session 001000000000000001: closed (2nd stage), user <1795272742:check> realm <loadline> origin <>',
    '1: : session 000000000000000002: realm <loadline> user <>: incoming packet message processed, error 401: Unauthorized',
    '1: : session 000000000000000002: new, realm=<loadline>, username=<1795272742:1a>, lifetime=600',
    '1: : session 001000000000000003: new, realm=<loadline>, username=<1795272742:1b>, lifetime=600',
    '1: : session 001000000000000004: realm <loadline> user <1795272742:2a>: incoming packet ALLOCATE processed, error 508: Cannot create socket',
    '9: : session 000000000000000002: usage: realm=<loadline>, username=<1795272742:1a>, rp=2000, rb=1000000, sp=96, sb=5000',
    '9: : session 000000000000000002: peer usage: realm=<loadline>, username=<1795272742:1a>, rp=1, rb=7, sp=1, sb=7',
    '19: : session 000000000000000002: usage: realm=<loadline>, username=<1795272742:1a>, rp=3, rb=100, sp=3, sb=50',
    '19: : session 000000000000000002: closed (2nd stage), user <1795272742:1a> realm <loadline> origin <>',
  ];
  for (const line of lines) log.line(line);
  expect(log.open).toBe(1);
  expect(log.usage()).toEqual({
    allocations: 2,
    refused: 1,
    allocationsAtOnceMax: 2,
    bytesFromProbes: 1_000_100,
    bytesToProbes: 5050,
    complete: false,
  });
});

test('how coturn ended is told by its own signal, though a shell stands between', () => {
  expect(howCoturnEnded({ kind: 'exited', code: 137 })).toBe('ended by SIGKILL');
  expect(howCoturnEnded({ kind: 'killed', signal: 'SIGTERM' })).toBe('ended by SIGTERM');
  expect(howCoturnEnded({ kind: 'exited', code: 255 })).toBe('exited with code 255');
});
