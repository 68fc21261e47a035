import { expect, test } from '@playwright/test';
import { type AskedTurn, askAt, turnsMs } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import { layerAsked, type Participant, receivedStreams } from '../model/scenario.js';
import { layouts } from '../model/simulcast.js';
import { sfuGroup } from './group.js';
import { shownBy } from './shown.js';
import { withLayers } from './with-layers.js';

const senders = Array.from({ length: 30 }, (_, nth) => `1-${nth}`);
const session = { id: '1', senders };
const seconds = Array.from({ length: turnsMs / 1000 }, (_, nth) => nth * 1000);

function askedAt(turns: ReadonlyMap<string, readonly AskedTurn[]>, atMs: number) {
  const layer = { name: 'high', width: 1280, kbps: 1 } as const;
  return [...turns].map(([id, own]) => [id, askAt({ ...layer, turns: own }, atMs)] as const);
}

for (const [name, layout] of Object.entries(layouts))
  test(`${name}: at any time as many are shown as fit, in the layers of the layout`, () => {
    const turns = shownBy('1-3', session, layout);
    expect(turns.size, 'oneself is not among them').toBe(29);
    for (const atMs of seconds) {
      const shown = askedAt(turns, atMs).filter(([, ask]) => ask !== 'none');
      expect(shown.length, `at ${atMs}`).toBe(layout.visible);
      const large = 'speaker' in layout ? shown.filter(([, ask]) => ask === layout.speaker) : [];
      if ('speaker' in layout) expect(large.length).toBeLessThanOrEqual(1);
      expect(shown.filter(([, ask]) => ask === layout.asked).length).toBe(layout.visible - large.length);
    }
  });

test('who speaks is the same one for all of a session, and changes; who scrolls does so alone', () => {
  const large = (member: string, atMs: number) =>
    askedAt(shownBy(member, session, layouts.speaker), atMs).find(([, ask]) => ask === 'high')?.[0];
  const speakers = seconds.map((atMs) => {
    const [one, other] = [large('1-3', atMs), large('1-4', atMs)];
    // A speaker does not see itself large.
    if (one !== '1-4' && other !== '1-3') expect(one).toBe(other);
    return one;
  });
  expect(new Set(speakers).size).toBeGreaterThan(5);
  const shown = (member: string) => JSON.stringify([...shownBy(member, session, layouts['3x3'])]);
  expect(shown('1-3')).not.toBe(shown('1-4'));
  expect(shown('1-3'), 'the same again').toBe(shown('1-3'));
});

test('a layer for the whole trial is what is asked for where all are shown: no list of turns', () => {
  const asked = (simulcast: object) => {
    const media = mediaSchema.parse({ width: 960, height: 540, simulcast: { rids: ['l', 'm', 'h'], ...simulcast } });
    const [room] = withLayers(sfuGroup(4), media).sessions(1);
    const [first] = (room?.participants ?? []) as readonly Participant[];
    return (first?.legs ?? []).flatMap(receivedStreams).flatMap((stream) => layerAsked(stream) ?? []);
  };
  const all = { name: 'middle', width: 480 };
  for (const one of asked({ asked: 'middle' })) expect(one).toMatchObject(all);
  expect(asked({ asked: 'middle', visible: 9 }).every(({ turns }) => turns === undefined)).toBe(true);
  expect(asked({ asked: 'middle', visible: 2 }).every(({ turns }) => turns !== undefined)).toBe(true);
});
