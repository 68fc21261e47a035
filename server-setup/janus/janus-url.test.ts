import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { parseJanusUrl } from './janus-url.js';
import { janusKind } from './kind.js';

test('an address says how Janus is spoken to, and has the ports and paths of Janus where it names none', () => {
  for (const [text, url] of [
    ['janus://a', 'ws://a:8188'],
    ['janus://a:80', 'ws://a:80'],
    ['JANUS://a:9', 'ws://a:9'],
    ['janus+ws://a/by/proxy/', 'ws://a:8188/by/proxy'],
    ['janus+wss://[::1]', 'wss://[::1]:8989'],
    ['janus+http://a', 'http://a:8088/janus'],
    ['janus+https://a:443/x', 'https://a:443/x'],
  ] as const) {
    expect(parseJanusUrl(text).url).toBe(url);
  }
  expect(parseJanusUrl('janus+wss://[::1]')).toMatchObject({ host: '::1', port: 8989, transport: 'websocket' });
  expect(parseJanusUrl('janus+http://a')).toMatchObject({ transport: 'http' });
});

test('an address that cannot be read is refused with its reason, and a secret in one is', () => {
  for (const [text, why] of [
    ['janus://', 'not host'],
    ['janus://a:0', 'port 0'],
    ['janus://user:secret@a', 'environment'],
    ['janus://a?apisecret=x', 'no use'],
    ['janus+ftp://a', 'begins with none'],
  ] as const) {
    expect(() => parseJanusUrl(text)).toThrow(expect.objectContaining({ code: 'E_SERVER_URL' }));
    const error = thrown(() => parseJanusUrl(text));
    expect(error.why).toContain(why);
  }
});

test('without a word all others come over one connection, and what is neither one nor each is refused', () => {
  const [subscribe, admin] = janusKind.options;
  expect(janusKind.subscribing?.({ kind: 'janus' })).toBe('one');
  expect(janusKind.subscribing?.({ kind: 'janus', subscribe: 'each' })).toBe('each');
  expect(subscribe?.read({})).toEqual({});
  expect(subscribe?.read({ subscribe: 'one' })).toEqual({});
  expect(subscribe?.read({ subscribe: 'each' })).toEqual({ subscribe: 'each' });
  expect(thrown(() => subscribe?.read({ subscribe: 'some' })).code).toBe('E_USAGE');
  expect(thrown(() => admin?.read({ janusAdmin: 'http://a:7088/admin' })).code).toBe('E_USAGE');
  expect(admin?.read({ janusAdmin: 'ws://a:7188' })).toEqual({ adminUrl: 'ws://a:7188' });
});

function thrown(work: () => unknown): LoadlineError {
  try {
    work();
  } catch (error) {
    return error as LoadlineError;
  }
  throw new Error('should have thrown');
}
