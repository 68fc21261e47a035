import { z } from 'zod';
import { networkPresetNames } from '../networks/presets.js';
import { readNetworks } from '../networks/read-networks.js';
import type { Flags } from './flag.js';

const presets = networkPresetNames.join(', ');
const error = 'must be a profile such as wifi or "40ms 5ms, 2% loss", or a list of groups: [90% clean, 10% poor-3g]';

export const networkFlags = {
  network: {
    takes: 'profile',
    about: `impair the probes' links (as root): ${presets}, or "40ms 5ms, 2% loss, 1mbit"; groups: "90% clean, 10% poor-3g"`,
    value: { read: readNetworks },
    inPlans: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error }),
    words: networkPresetNames,
    everyday: true,
  },
  absoluteLimits: {
    about: 'limits as they are written, not counted from what the link itself does',
    with: '--network',
    withValue: 'wifi',
  },
} as const satisfies Flags;
