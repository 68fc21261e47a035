import { layerNames, layersAdded } from '../../model/layer.js';
import { oneOut } from '../../model/remedy.js';
import { layoutNames, layouts, type Shown } from '../../model/simulcast.js';
import type { Flags, ValuesOf } from './flag.js';
import { usageError } from './usage-error.js';
import { count, word } from './written.js';

const ofLayers = { with: '--simulcast or --svc', inFull: layersAdded, because: 'there is one layer' } as const;

/** What of the others a member asks for. */
export const layoutFlags = {
  layer: {
    takes: 'name',
    about: `the layer of each video that receivers ask for: ${layerNames.join(', ')} (default: high)`,
    value: word(layerNames),
    ...ofLayers,
  },
  layout: {
    takes: 'name',
    about:
      'what receivers show: speaker, who speaks in the high layer and 5 others in the low; 3x3, 9 in the middle; 5x5, 25 in the low; it changes with who speaks and as they scroll',
    value: word(layoutNames),
    ...ofLayers,
  },
  visible: {
    about:
      'so many of the others are shown at a time, and of the rest no video is asked for (default: all, or as the layout)',
    value: count({ from: 1, to: 49 }),
    ...ofLayers,
  },
} as const satisfies Flags;

/** Throws E_USAGE. */
export function shownOf({ layer, layout, visible }: ValuesOf<typeof layoutFlags>): Shown {
  if (layout === undefined) return { asked: layer ?? 'high', ...(visible === undefined ? {} : { visible }) };
  const shown = layouts[layout];
  if (layer !== undefined)
    throw usageError(
      '--layer does not go with --layout.',
      ['--layer', '--layout'],
      oneOut('--layer', '--layout'),
      `${layout} says which layers are asked for`,
    );
  if (visible !== undefined && visible > shown.visible && layout !== 'speaker')
    throw usageError(
      `--visible ${visible} is more than a ${layout} shows.`,
      ['--visible', '--layout'],
      [{ give: { '--visible': shown.visible }, note: 'or less' }, 'a larger layout'],
      `it has ${shown.visible} tiles`,
    );
  return { ...shown, ...(visible === undefined ? {} : { visible }) };
}
