import { layerAsked } from '../../model/scenario.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import { isImpaired } from './link-path.js';
import { baselineOfStream, type StreamRule } from './stream-rules.js';

/** Share of the time with pictures, percent: three seconds of a minute, in which a switch waits for its key frame. */
const mostPercent = 5;

/**
 * Pictures of another layer than the one that was asked for, counted from what one session alone had. On an impaired
 * link the layer that fits is the right one: without a baseline nothing says which that is.
 */
const ruleOf = (aggregate: 'belowLayerPercent' | 'aboveLayerPercent'): StreamRule => ({
  code: 'wrong-layer',
  subject: { aggregate, kind: 'video', direction: 'receive', ofBaseline: false, comparison: 'at-most' },
  unit: '%',
  comparison: 'at-most',
  concerns: (stream, measure) =>
    stream.direction === 'receive' &&
    layerAsked(stream) !== undefined &&
    (!isImpaired(stream, measure) || baselineOfStream(stream, measure) !== undefined),
  mustBeMeasured: () => false,
  limit: () => mostPercent,
  value: ({ stream, values }, measure) => {
    const value = values[aggregate];
    const alone = isImpaired(stream, measure) ? (baselineOfStream(stream, measure)?.[aggregate] ?? 0) : 0;
    return value === undefined ? undefined : Math.max(0, value - alone);
  },
  phrase: ({ stream, values }, value) => {
    const asked = layerAsked(stream);
    const side = aggregate === 'belowLayerPercent' ? 'below' : 'above';
    return `${streamPhrase(stream)} ${side} the ${asked?.name} layer that it asked for in ${numberNear(value, mostPercent)} % of the time: ${numberNear(values.frameWidth ?? 0)} px wide in the median, and not ${numberNear(asked?.width ?? 0)}`;
  },
});

export const wrongLayerRules: readonly StreamRule[] = [ruleOf('belowLayerPercent'), ruleOf('aboveLayerPercent')];
