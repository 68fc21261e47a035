import { given } from '../../model/given.js';
import type { Link, Network } from '../../model/network.js';

type Preset = Pick<Network, 'up' | 'down'>;

const kbit = 1000;
const mbit = 1_000_000;

/** The figures name a round trip; half of it is each way. Loss and rate are those of each direction. */
const both = (roundTripMs: number | undefined, percent: number, rateBps: number): Preset => {
  const link: Link = {
    ...given({ delayMs: roundTripMs && roundTripMs / 2 }),
    loss: { kind: 'random', percent },
    rateBps,
  };
  return { up: link, down: link };
};

/** The network profiles of testRTC (its documentation, "Network profiles"), which the field compares by. */
const networkPresets = {
  clean: { up: {}, down: {} },
  wifi: both(40, 0.2, 30 * mbit),
  dsl: both(40, 0.5, 8 * mbit),
  '4g': both(undefined, 2, 4 * mbit),
  'poor-4g': both(350, 5, 4 * mbit),
  '3g': both(250, 1.5, 750 * kbit),
  'poor-3g': both(350, 5, 400 * kbit),
  'very-bad': both(500, 10, 1 * mbit),
  'call-drop': both(500, 20, 50 * kbit),
} as const satisfies Readonly<Record<string, Preset>>;

type NetworkPreset = keyof typeof networkPresets;
export const networkPresetNames = Object.keys(networkPresets) as readonly NetworkPreset[];

export function presetOf(name: string): Preset | undefined {
  return networkPresetNames.some((known) => known === name) ? networkPresets[name as NetworkPreset] : undefined;
}
