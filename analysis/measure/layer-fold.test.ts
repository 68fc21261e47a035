import { expect, test } from '@playwright/test';
import type { Ask, AskedLayer } from '../../model/layer.js';
import { LayerFold } from './layer-fold.js';
import type { StreamReading } from './stream-reading.js';

const constant: AskedLayer = { name: 'high', width: 960, kbps: 1000 };
const changing: AskedLayer = { ...constant, turns: [[0, 'low']] };

interface Second {
  readonly ask?: Ask;
  readonly forMs?: number;
  readonly width?: number;
  readonly frames?: number;
  readonly newWidthMs?: number;
  readonly bytes?: number;
  /** It began anew: its bytes are not known. */
  readonly restarted?: true;
  /** getStats does not know it, as before its first packet. */
  readonly unknown?: true;
  /** It is not shown, or its source is gone. */
  readonly away?: true;
  /** It is new in getStats: what came is not known. */
  readonly isNew?: true;
  /** Its reading got lost. */
  readonly lost?: true;
}

/** Seconds one after the other; how long something is asked for follows where it is not said. */
function folded(layer: AskedLayer, seconds: readonly Second[]) {
  const fold = new LayerFold(layer);
  let before: { readonly ask: Ask; readonly forMs: number } | undefined;
  for (const [nth, second] of seconds.entries()) {
    const { ask, forMs, width, frames = 30, newWidthMs, bytes = 1000, restarted, isNew } = second;
    const goesOn = before?.ask === ask ? (before?.forMs ?? 0) + 1000 : 60_000;
    const asked = ask && { layer: ask, forMs: forMs ?? goesOn };
    before = asked && { ask: asked.layer, forMs: asked.forMs };
    const metrics = {
      ...(restarted || isNew ? {} : { bytesReceived: bytes, framesDecoded: frames }),
      ...(width === undefined ? {} : { frameWidth: width }),
      ...(newWidthMs === undefined ? {} : { newWidthMs }),
    };
    const stream = {
      leg: '1a',
      direction: 'receive',
      kind: 'video',
      metrics,
      ...(asked ? { asked } : {}),
      ...(restarted ? { restarted } : {}),
    } as const;
    const known = second.unknown ? undefined : stream;
    const reading: StreamReading = { atMs: 10_000 + 1000 * nth, intervalMs: 1000, stream: known, asked };
    if (!second.lost) fold.add(reading, second.away);
  }
  return fold.values();
}

const times = (count: number, second: Second): readonly Second[] => Array.from({ length: count }, () => second);

test('a switch takes from when it was asked for until pictures became as wide, as the probe saw it', () => {
  const seconds = [
    ...times(3, { ask: 'low', width: 240 }),
    { ask: 'high', forMs: 700, width: 960, newWidthMs: 450 },
    ...times(4, { ask: 'high', width: 960 }),
  ] as const;
  expect(folded(changing, seconds)).toMatchObject({
    switchP95Ms: 250,
    switches: 1,
    unaskedSwitches: 0,
    belowLayerPercent: 0,
    aboveLayerPercent: 0,
  });
});

test('without a time of the probe a switch ended with its second at the latest, and never before it was asked for', () => {
  const late = [...times(2, { ask: 'low', width: 240 }), { ask: 'high', forMs: 700, width: 960 }] as const;
  expect(folded(changing, late).switchP95Ms).toBe(700);
  const there = [...times(2, { ask: 'low', width: 960 }), { ask: 'high', forMs: 700, width: 960 }] as const;
  expect(folded(changing, there).switchP95Ms, 'it was there before').toBe(0);
});

test('a picture that was not shown comes back with its first frame; while it is not shown nothing is missing', () => {
  const seconds = [
    ...times(3, { ask: 'low', width: 240 }),
    ...times(5, { ask: 'none', frames: 0, bytes: 0 }),
    { ask: 'low', forMs: 800, width: 240, frames: 15 },
    ...times(4, { ask: 'low', width: 240 }),
  ] as const;
  expect(folded(changing, seconds)).toMatchObject({ switchP95Ms: 300, belowLayerPercent: 0, aboveLayerPercent: 0 });
});

test('what is asked for within the first second is a switch, too', () => {
  const seconds = [{ ask: 'high', forMs: 700, width: 960, newWidthMs: 450 }, ...times(4, { ask: 'high', width: 960 })];
  expect(folded(changing, seconds as readonly Second[])).toMatchObject({ switchP95Ms: 250, switches: 1 });
});

test('a switch that does not come took as long as it was waited for, and its time is below the layer', () => {
  const seconds = [...times(2, { ask: 'low', width: 240 }), { ask: 'high', forMs: 500, width: 240 }] as const;
  const never = [...seconds, ...times(9, { ask: 'high', width: 240 })];
  const { switchP95Ms, belowLayerPercent = 0 } = folded(changing, never);
  expect(switchP95Ms).toBe(9500);
  expect(belowLayerPercent).toBeGreaterThan(50);
});

test('pictures that go on although none are asked for are above what was', () => {
  const seconds = [...times(3, { ask: 'low', width: 240 }), ...times(9, { ask: 'none', width: 240 })];
  expect(folded(changing, [...seconds, ...times(3, { ask: 'none', width: 240 })]).aboveLayerPercent).toBeGreaterThan(
    50,
  );
});

test('pictures that nobody asked for hide no time below the layer: its share is of the time in which one was', () => {
  const seconds = [...times(4, { ask: 'high', width: 960 }), ...times(6, { ask: 'high', width: 240 })];
  const gone = { ask: 'none', width: 240 } as const;
  expect(folded(changing, [...seconds, ...times(20, gone)])).toMatchObject({ belowLayerPercent: 60 });
  expect(folded(changing, times(5, gone)).belowLayerPercent, 'none was asked for').toBeUndefined();
});

test('a picture that is asked for in another layer before it has come back is waited for all the same', () => {
  const seconds = [
    ...times(3, { ask: 'high', width: 960 }),
    ...times(5, { ask: 'none', frames: 0, bytes: 0 }),
    { ask: 'low', forMs: 900, frames: 0, bytes: 0 },
    { ask: 'high', forMs: 800, width: 960, frames: 15 },
    ...times(4, { ask: 'high', width: 960 }),
  ] as const;
  expect(folded(changing, seconds)).toMatchObject({ switchP95Ms: 300, switches: 1 });
});

test('another width without another ask is a switch without cause, also where always the same is asked for', () => {
  const seconds = [960, 960, 480, 480, 960].map((width) => ({ width }));
  expect(folded(constant, seconds)).toMatchObject({ unaskedSwitches: 2, belowLayerPercent: 40, switches: undefined });
});

test('bit rates are told by layer, of seconds in which nothing was being switched', () => {
  const values = folded(changing, [
    ...times(4, { ask: 'low', width: 240, bytes: 10_000 }),
    { ask: 'high', forMs: 300, width: 960, newWidthMs: 100, bytes: 50_000 },
    ...times(2, { ask: 'high', width: 960, bytes: 90_000 }),
    ...times(4, { ask: 'high', width: 960, bytes: 100_000 }),
  ]);
  expect(values).toMatchObject({ lowLayerKbps: 80, highLayerKbps: 800, lowLayerPercent: 50, highLayerPercent: 50 });
  expect(values.middleLayerKbps).toBeUndefined();
});

test('a second in which the stream began anew is asked for, too, and left out of the bit rate', () => {
  const second = { ask: 'low', width: 240, bytes: 212_500 } as const;
  const values = folded(changing, [...times(27, second), ...times(3, { ...second, restarted: true })]);
  expect(values).toMatchObject({ lowLayerKbps: 1700, lowLayerPercent: 100 });
});

test('a picture that is shown for the first time is timed, too, and one that never comes is waited for', () => {
  const hidden = times(5, { ask: 'none', unknown: true, away: true });
  const waits = { ask: 'low', unknown: true, away: true } as const;
  const comes = { ask: 'low', width: 240, isNew: true, newWidthMs: 600 } as const;
  const then = times(4, { ask: 'low', width: 240 });
  expect(folded(changing, [...hidden, { ...comes, forMs: 900 }, ...then])).toMatchObject({
    switchP95Ms: 300,
    switches: 1,
  });
  const late = [...hidden, { ...waits, forMs: 900 }, ...times(2, waits), { ...waits, away: undefined }];
  expect(folded(changing, [...(late as Second[]), comes, ...then]).switchP95Ms).toBe(4300);
  expect(folded(changing, late as Second[]).switchP95Ms).toBe(3900);
  expect(folded(changing, late as Second[]).lowLayerKbps, 'nothing came').toBe(0);
});

test('where a source is gone no switch is waited for, and no rate of it is known', () => {
  const gone = times(9, { ask: 'high', unknown: true, away: true });
  const seconds = [
    ...times(4, { ask: 'low', width: 240 }),
    { ask: 'high', forMs: 500, unknown: true, away: true },
  ] as const;
  const values = folded(changing, [...seconds, ...gone]);
  expect(values).toMatchObject({ switches: 0, lowLayerPercent: 100 });
  expect([values.switchP95Ms, values.highLayerKbps]).toEqual([undefined, undefined]);
});

test('what was asked for, and came, while nothing was read was no switch of a known time', () => {
  const before = times(3, { ask: 'low', width: 240 });
  const lost = [{ ask: 'high', forMs: 500, lost: true }, ...times(3, { ask: 'high', lost: true })] as const;
  const there = folded(changing, [...before, ...lost, ...times(3, { ask: 'high', width: 960 })] as readonly Second[]);
  expect([there.switches, there.switchP95Ms, there.unaskedSwitches]).toEqual([0, undefined, 0]);
  const never = folded(changing, [...before, ...lost, ...times(3, { ask: 'high', width: 240 })] as readonly Second[]);
  expect(never.switchP95Ms, 'not there yet when it was looked at').toBe(6500);
});
