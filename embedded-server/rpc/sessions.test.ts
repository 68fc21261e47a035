import { expect, test } from '@playwright/test';
import { Sessions } from './sessions.js';

function rig() {
  const sessions = new Sessions();
  const got: string[] = [];
  const open = (id: string) => sessions.adopt(id, { send: (frame) => got.push(`${id} ${frame}`) }, 0);
  return { sessions, got, open };
}

test('an event goes to those who subscribed to it, once per subscription, and is written once', () => {
  const { sessions, got, open } = rig();
  for (const id of ['a', 'b', 'c']) open(id);
  for (const id of ['a', 'a', 'b']) sessions.subscribe(id, 'x', 'Error');
  sessions.subscribe('c', 'x', 'Other');
  sessions.subscribe('c', 'y', 'Error');
  const written: string[] = [];
  sessions.publish('x', 'Error', () => `frame ${written.push('once')}`);
  expect(got).toEqual(['a frame 1', 'a frame 1', 'b frame 1']);
});

test('what was unsubscribed, what was released and who has left hears nothing more', () => {
  const { sessions, got, open } = rig();
  for (const id of ['a', 'b', 'c']) open(id);
  const unsubscribed = sessions.subscribe('a', 'x', 'Error');
  sessions.subscribe('b', 'x', 'Error');
  sessions.subscribe('c', 'y', 'Error');
  sessions.unsubscribe(unsubscribed);
  sessions.close('b');
  sessions.forgetObject('y');
  for (const object of ['x', 'y']) sessions.publish(object, 'Error', () => 'frame');
  expect(got).toEqual([]);
});

test('the last session that lets go of an object is told so, and one that is closed holds nothing', () => {
  const { sessions, open } = rig();
  const [a, b] = [open('a'), open('b')];
  for (const session of [a, b]) sessions.hold(session, 'x');
  expect([sessions.letGo(a, 'x'), sessions.letGo(a, 'x')]).toEqual([false, false]);
  sessions.hold(a, 'x');
  sessions.close('a');
  expect(sessions.letGo(b, 'x')).toBe(true);
  sessions.hold(b, 'y');
  sessions.forgetObject('y');
  expect(b.objects.size).toBe(0);
});
