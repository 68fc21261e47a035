import { expect, test } from '@playwright/test';
import type { ServerEvent } from '../model/server-event.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { ServerWatch } from './server-watch.js';

function aWatch() {
  const tellers: ((event: ServerEvent) => void)[] = [];
  const server: Pick<MediaServer, 'onEvent'> = { onEvent: (listener) => void tellers.push(listener) };
  const watch = new ServerWatch(server as MediaServer);
  return { watch, tell: (event: ServerEvent) => tellers.forEach((teller) => void teller(event)) };
}

const failed = (detail: string): ServerEvent => ({ kind: 'failed', of: 'server', atMs: 7, detail });

test('what a server says is heard in plain text and at a length that a person reads', () => {
  const { watch, tell } = aWatch();
  const heard: ServerEvent[] = [];
  watch.listen(2, (event) => heard.push(event));
  tell(failed(`\u001b[2Jbad${'x'.repeat(10_000_000)}`));
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({ kind: 'failed', of: 'server', atMs: 7 });
  expect(JSON.stringify(heard[0])).toMatch(/"\ufffd\[2Jbadx{1,2000}… \(10000007 characters\)"/);
});

const excess = (dropped: number, atMs = 7): ServerEvent => ({
  kind: 'excess',
  atMs,
  detail: 'more than 2000 events in ten minutes',
  dropped,
});

test('of a flood of events a bounded number is kept, what was dropped is said, and a loss is heard all the same', () => {
  const { watch, tell } = aWatch();
  const heard: ServerEvent[] = [];
  const stop = watch.listen(2, (event) => heard.push(event));
  for (let nth = 0; nth < 50_000; nth += 1) tell(failed('again'));
  expect(heard).toHaveLength(2001);
  expect(heard.at(-1)).toEqual(excess(1));
  tell({ kind: 'lost', atMs: 8, detail: 'gone' });
  expect(heard.at(-1)).toEqual({ kind: 'lost', atMs: 8, detail: 'gone' });
  stop();
  stop();
  expect(heard.slice(2002)).toEqual([excess(48_000)]);
  const again: ServerEvent[] = [];
  watch.listen(2, (event) => again.push(event));
  tell(failed('once'));
  expect(again).toEqual([failed('once')]);
});

test('a server that says a little for hours is not taken for one that floods', () => {
  const { watch, tell } = aWatch();
  const heard: ServerEvent[] = [];
  const stop = watch.listen(2, (event) => heard.push(event));
  for (let nth = 0; nth < 10_000; nth += 1) tell({ ...failed('again'), atMs: nth * 1000 });
  stop();
  expect(heard).toHaveLength(10_000);
});
