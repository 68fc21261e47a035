import { expect, test } from '@playwright/test';
import type { Participant } from '../model/scenario.js';
import { MeetingLegs } from './meeting-legs.js';

const member = (id: string, session = '1'): Participant => ({
  id,
  session,
  role: 'member',
  legs: [{ id, sends: ['audio'], receives: [] }],
});
const [a, b, c] = [member('a'), member('b'), member('c')];
const idsOf = (legs: readonly { readonly id: string }[]) => legs.map(({ id }) => id).sort();

test('who comes meets those who are in its room, both ways, and nobody of another', () => {
  const meeting = new MeetingLegs(['audio', 'video']);
  expect(idsOf(meeting.come(a))).toEqual(['a']);
  expect(idsOf(meeting.come(member('x', '2')))).toEqual(['x']);
  const legs = meeting.come(b);
  expect(idsOf(legs)).toEqual(['a:from-b', 'b', 'b:from-a']);
  expect(legs.find(({ id }) => id === 'a:from-b')).toEqual({
    ...{ id: 'a:from-b', sends: [], receives: ['audio', 'video'] },
    from: { participant: 'b' },
  });
});

test('each leg ends once, with the first of its two ends that leaves', async () => {
  const meeting = new MeetingLegs(['audio']);
  for (const one of [a, b, c]) {
    meeting.come(one);
    meeting.joined(one);
  }
  expect([...(await meeting.leave(b))].sort()).toEqual(['a:from-b', 'b', 'b:from-a', 'b:from-c', 'c:from-b']);
  expect([...(await meeting.leave(a))].sort()).toEqual(['a', 'a:from-c', 'c:from-a']);
  expect(await meeting.leave(c)).toEqual(['c']);
  expect(await meeting.leave(c)).toEqual([]);
});

test('who leaves waits for those who are joining it, and is met by nobody from then on', async () => {
  const meeting = new MeetingLegs(['audio']);
  meeting.come(a);
  meeting.joined(a);
  meeting.come(b);
  const order: string[] = [];
  const left = meeting.leave(a).then((legs) => order.push(`left with ${legs.length}`));
  expect(idsOf(meeting.come(c))).toEqual(['b:from-c', 'c', 'c:from-b']);
  meeting.joined(c);
  await Promise.resolve();
  order.push('b joined');
  meeting.joined(b);
  await left;
  expect(order).toEqual(['b joined', 'left with 3']);
});
