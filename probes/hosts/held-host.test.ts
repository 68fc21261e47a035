import { expect, test } from '@playwright/test';
import { sharesOfOne } from '../../model/calibration.js';
import { MemoryBus } from '../../tests/memory-bus.js';
import { HeldHost } from './held-host.js';
import { wireFormat } from './wire.js';

const offer = {
  instance: 'h1',
  name: 'a',
  wireFormat,
  version: '0.1.0',
  build: 'b1',
  cores: 2,
  memoryMb: 1,
  boot: 'there',
};

const held = {
  ...{ lease: 'l1', offer, id: 'a', ownClock: 1, boot: 'here' },
  probes: sharesOfOne('full'),
};

/** A host that answers so, held for 0.2 s at a time. */
function aHost(answer: string): HeldHost {
  const bus = new MemoryBus();
  for (const what of ['clock', 'order']) bus.client().answer(`loadline.host.a.h1.${what}`, async () => answer);
  return new HeldHost({ bus: bus.client(), ...held, silenceMs: 200 });
}

const never = new AbortController().signal;

for (const answer of ['no JSON', '{}', '{"ok":1,"atMs":"soon"}']) {
  test(`a host that answers ${answer} has said nothing: its orders are refused, and it is lost in time`, async () => {
    const host = aHost(answer);
    expect(await host.order({ do: 'release' }, never)).toEqual({ ok: false, message: 'its answer cannot be read' });
    const lost = new Promise<string>((resolve) => host.whenLost(resolve));
    host.watch();
    expect(await lost).toBe('it has told nothing for 0.2 s');
  });
}

test('a host that says that it serves this run no more is lost at once', async () => {
  const host = aHost(JSON.stringify({ atMs: 1, held: false }));
  const lost = new Promise<string>((resolve) => host.whenLost(resolve));
  host.watch();
  expect(await lost).toBe('it had given this run up, or was started anew');
});

test('an order that is longer than the bus carries is not sent', async () => {
  const bus = new MemoryBus();
  const client = bus.client({ textBytesMax: 100 });
  const host = new HeldHost({ bus: client, ...held });
  const by = 'x'.repeat(100);
  const reply = await host.order({ do: 'reserve', by, wireFormat, build: 'b1' }, never);
  expect(reply).toMatchObject({ ok: false, message: expect.stringMatching(/too long for the bus \(100\)/) });
  expect(bus.asked).toEqual([]);
});
