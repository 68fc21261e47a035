import { expect, test } from '@playwright/test';
import { expectedStreams, unaskedLayers } from './expected-streams.js';
import { type AskedLayer, askedLayer, sentLayers } from './layer.js';
import type { Participant } from './scenario.js';

const media = { width: 1280, videoKbps: 2500, simulcast: { rids: ['q', 'h', 'f'] } };
const low = askedLayer(media, 'low');

/** A presenter sends three layers, and each viewer asks for one of these. The result: the rids of unasked ones. */
function unaskedOf(...asked: readonly (AskedLayer | undefined)[]) {
  const presenter: Participant = {
    id: 'p',
    session: '1',
    role: 'presenter',
    legs: [{ id: 'p', sends: ['audio', 'video'], receives: [], layers: sentLayers(media) }],
  };
  const viewers = asked.map((layer, nth): Participant => {
    const from = { participant: 'p', ...(layer ? { layer } : {}) };
    return {
      id: `v${nth}`,
      session: '1',
      role: 'viewer',
      legs: [{ id: `v${nth}`, sends: [], receives: ['video'], from }],
    };
  });
  const isUnasked = unaskedLayers(expectedStreams([presenter, ...viewers]));
  // As the samples of one participant are folded: by itself.
  return expectedStreams([presenter]).flatMap((stream) => (isUnasked(stream) ? [stream.stream] : []));
}

test('layers that nobody asks for are those above and below what somebody does', () => {
  expect(unaskedOf(low)).toEqual(['h', 'f']);
  expect(unaskedOf(low, askedLayer(media, 'high'))).toEqual(['h']);
});

test('what is asked for at some time is asked for', () => {
  const turns = [
    [0, 'low'],
    [5000, 'none'],
    [9000, 'high'],
  ] as const;
  expect(unaskedOf({ ...askedLayer(media, 'high'), turns })).toEqual(['h']);
});

test('where nobody asks for a layer all are watched', () => {
  expect(unaskedOf()).toEqual([]);
  expect(unaskedOf(undefined)).toEqual([]);
});
