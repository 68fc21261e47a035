import { expect, test } from '@playwright/test';
import { plainDataChannel } from '../model/data-messages.js';
import { expectedStreams } from '../model/expected-streams.js';
import { mediaSchema } from '../model/plan.js';
import { receivedName } from '../model/scenario.js';
import { scenarioOf } from './index.js';

const media = mediaSchema.parse({ data: { ...plainDataChannel, perSecond: 10 } });

/** Of each who sends or receives messages in one session: what is sent, and whose come. */
function messagesIn(scenario: string, more: Partial<Parameters<typeof scenarioOf>[0]> = {}) {
  const [session] = scenarioOf({ scenario, media, ...more })?.sessions(1) ?? [];
  const streams = expectedStreams(session?.participants ?? []).filter(({ kind }) => kind === 'data');
  return streams.map((one) => {
    const what = one.direction === 'send' ? 'sends' : receivedName(one).replace('data from ', 'hears ');
    return `${one.leg.id} ${what}`;
  });
}

test('each who sends media sends messages, and whoever receives the media receives them, on the same connections', () => {
  expect(messagesIn('one-to-one')).toEqual(['1a sends', '1a hears 1b', '1b sends', '1b hears 1a']);
  expect(messagesIn('sfu-group', { roomSize: 3, subscribe: 'one' }).slice(0, 3)).toEqual([
    '1a sends',
    '1a:from-all hears 1b',
    '1a:from-all hears 1c',
  ]);
  expect(messagesIn('broadcast')).toContain('1v1 hears 1p');
  expect(messagesIn('broadcast').filter((one) => one.endsWith('sends'))).toEqual(['1p sends']);
});

test('a shared screen has no messages, and without --data nobody sends any', () => {
  const screened = messagesIn('one-to-one', { media: { ...media, screen: true } });
  expect(screened.filter((one) => one.includes('screen'))).toEqual([]);
  expect(messagesIn('one-to-one', { media: mediaSchema.parse({}) })).toEqual([]);
});
