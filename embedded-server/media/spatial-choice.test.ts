import { expect, test } from '@playwright/test';
import type { Ask } from '../../model/layer.js';
import { Shown } from './ports.js';
import { SpatialChoice } from './spatial-choice.js';

/** A packet of VP9 with the whole picture of its layer: the picture's short number, and the layer (RFC 9628, 4.2). */
const packet = (spatial: number, isKey = false) =>
  Buffer.of(0x80 | (isKey ? 0 : 0x40) | 0x20 | 0x08 | 0x04, 7, spatial << 1, 0);

/** What goes on of pictures of three layers, each its last packet with an end; what is asked for changes in between. */
function played(pictures: readonly { readonly isKey?: boolean; readonly ask?: Ask }[]) {
  const shown = new Shown();
  const choice = new SpatialChoice(shown);
  let requests = 0;
  const from = { requestKeyFrame: () => (requests += 1) };
  const went = pictures.map(({ isKey, ask }) => {
    if (ask) shown.askFor(ask);
    return [0, 1, 2].flatMap((spatial) => {
      const part = choice.partOf(packet(spatial, isKey), 'vp9/90000', from);
      return part === 'left-out' ? [] : [part === 'end-of-picture' ? `${spatial}.` : `${spatial}`];
    });
  });
  return { went, asked: requests > 0 };
}

const key = { isKey: true } as const;

test('a receiver gets the layers up to the one that it asks for, and the last of them ends the picture', () => {
  // How many layers there are shows in the first picture.
  expect(played([{ ...key, ask: 'low' }, {}]).went).toEqual([['0.'], ['0.']]);
  expect(played([{ ...key, ask: 'middle' }, key, {}]).went.slice(1)).toEqual([
    ['0', '1.'],
    ['0', '1.'],
  ]);
  expect(played([{ ...key, ask: 'high' }, key, {}]).went.slice(1)).toEqual([
    ['0', '1', '2.'],
    ['0', '1', '2.'],
  ]);
});

test('down it goes at once, up with a key frame that is asked for, and none at all where it is not shown', () => {
  const { went, asked } = played([
    key,
    key,
    { ask: 'low' },
    { ask: 'high' },
    key,
    { ask: 'none' },
    { ask: 'low' },
    key,
  ]);
  expect(went.slice(1)).toEqual([['0', '1', '2.'], ['0.'], ['0.'], ['0', '1', '2.'], [], [], ['0.']]);
  expect(asked).toBe(true);
});

test('a stream without layers goes on as it is', () => {
  const choice = new SpatialChoice(new Shown());
  const from = { requestKeyFrame: () => undefined };
  expect(choice.partOf(Buffer.of(0x8c, 7, 0), 'vp9/90000', from)).toBe('as-it-is');
  expect(choice.partOf(packet(2), 'vp8/90000', from)).toBe('as-it-is');
});
