import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { readFlags, type WordsOf } from './flag.js';
import { busAddress, hostFlags, hostsOf, localCount } from './host-flags.js';

const read = (words: WordsOf<typeof hostFlags>, kind?: Parameters<typeof hostsOf>[1]) =>
  hostsOf(readFlags(hostFlags, words), kind);

test('hosts are those of a bus or so many of this machine, and are dealt evenly where nothing else is asked', () => {
  expect(read({})).toBeUndefined();
  expect(read({ hosts: 'nats://10.0.0.5:4222' })).toEqual({
    from: 'nats://10.0.0.5:4222',
    spread: 'even',
  });
  expect(read({ hosts: 'local:3', spread: 'pack' })).toEqual({ from: 'local:3', spread: 'pack' });
  const whip = { inWords: 'a WHIP server', speaker: () => Promise.reject(new Error('not loaded')) };
  expect(read({ hosts: 'local:3', spokenBy: 'hosts' }, whip)).toMatchObject({ spokenBy: 'hosts' });
  expect([localCount('local:3'), localCount('nats://a')]).toEqual([3, undefined]);
  expect(busAddress('nats://a:4222, tls://b:4222', '--bus')).toBe('nats://a:4222, tls://b:4222');
});

for (const [what, flags, message] of [
  ['no address', { hosts: 'ten' }, '--hosts must be the address of a bus, not "ten".'],
  ['no number of local ones', { hosts: 'local' }, '--hosts must say how many hosts to play here, not "local".'],
  ['another protocol', { hosts: 'http://a' }, '--hosts must be the address of a bus, not "http://a".'],
  ['a login', { hosts: 'nats://ada:pw@a' }, 'The address of --hosts holds a login.'],
  ['no number', { hosts: 'local:many' }, '--hosts local: must be a whole number from 1 to 16, not "many".'],
  ['an unknown spread', { hosts: 'local:2', spread: 'wide' }, /^--spread must be even or pack/],
  ['a spread alone', { spread: 'pack' }, '--spread without --hosts changes nothing.'],
  ['credentials alone', { busCreds: 'f' }, '--bus-creds without --hosts changes nothing.'],
  ['a certificate alone', { busCert: 'f' }, '--bus-cert without --hosts changes nothing.'],
  ['a word for who speaks alone', { spokenBy: 'hosts' }, '--spoken-by without --hosts changes nothing.'],
  ['an unknown speaker', { hosts: 'local:2', spokenBy: 'me' }, /^--spoken-by must be conductor or hosts/],
  [
    'hosts that speak to a server of which each word is the conductor’s',
    { hosts: 'local:2', spokenBy: 'hosts' },
    'With this server, the conductor alone speaks to the media server.',
  ],
] as const) {
  test(`probes on other hosts with ${what} are refused before anything starts`, () => {
    const refused = () => read(flags);
    expect(refused).toThrow(message);
    expect(codeOf(refused)).toBe('E_USAGE');
  });
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as LoadlineError).code;
  }
}
