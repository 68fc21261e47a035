import { expect, test } from '@playwright/test';
import type { Leg, Scenario } from '../../model/scenario.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { serverKinds } from '../../server-setup/kinds.js';
import { toyKind } from '../../tests/toy-server/kind.js';
import { assertCarries } from './carried.js';

const from = ['1b', '1c'].map((participant) => ({ participant, kinds: ['video'] }) as const);
const leg: Leg = { id: '1a', sends: ['video'], receives: ['video'], from };
const bundled: Scenario = {
  ...oneToOne,
  name: 'bundled',
  sessions: () => [
    { id: '1', shape: 'forward', participants: [{ id: '1a', session: '1', role: 'member', legs: [leg] }] },
  ],
};
const asked = { records: false, relayed: false } as const;

test('several streams of a kind on a connection are refused before the start for servers that carry one, and for no others', () => {
  for (const kind of serverKinds.filter(({ abilities }) => abilities.shapes.includes('forward'))) {
    const codec = kind.abilities.codecs.forwards[0] ?? 'VP8';
    const check = () => assertCarries(kind, { ...asked, codec, scenario: bundled }, [...serverKinds, toyKind]);
    if (kind.abilities.severalStreams) expect(check).not.toThrow();
    else expect(check).toThrow('carries one stream of a kind on a connection, not several.');
    expect(() => assertCarries(kind, { ...asked, codec, scenario: oneToOne }, serverKinds)).not.toThrow();
  }
  expect(() => assertCarries(toyKind, { ...asked, codec: 'VP8', scenario: bundled }, serverKinds)).not.toThrow();
});
