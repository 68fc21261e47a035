import { switchMostMs } from '../../model/layer.js';
import { layerAsked } from '../../model/scenario.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import { isImpaired } from './link-path.js';
import type { BuiltInRule } from './named-limit.js';
import { baselineOfStream } from './stream-rules.js';

/** Share of the time with pictures, percent: three seconds of a minute, in which a switch waits for its key frame. */
export const mostWrongPercent = 5;
/** A minute: down, and up again. */
const mostUnasked = 2;
const minuteMs = 60_000;

type Layered = Pick<BuiltInRule, 'words' | 'code' | 'unit' | 'limit' | 'value' | 'phrase'> &
  Pick<BuiltInRule['subject'], 'aggregate'>;

/**
 * Of streams of which a layer is asked for. On an impaired link the layer that fits is the right one: without a
 * baseline nothing says which that is.
 */
const ruleOf = ({ aggregate, ...rule }: Layered): BuiltInRule => ({
  ...rule,
  subject: { aggregate, kind: 'video', direction: 'receive', ofBaseline: false, comparison: 'at-most' },
  comparison: 'at-most',
  concerns: (stream, measure) =>
    stream.direction === 'receive' &&
    layerAsked(stream) !== undefined &&
    (!isImpaired(stream, measure) || baselineOfStream(stream, measure) !== undefined),
  mustBeMeasured: () => false,
});

/**
 * Pictures of a layer below the one that was asked for; on an impaired link counted from what one session alone had.
 * One above it nobody notices: a report tells it (`layerSentences`).
 */
const wrongLayer = ruleOf({
  code: 'wrong-layer',
  aggregate: 'belowLayerPercent',
  words: { what: 'time below the layer asked for' },
  unit: '%',
  limit: () => mostWrongPercent,
  value: ({ stream, values: { belowLayerPercent } }, measure) => {
    const alone = isImpaired(stream, measure) ? (baselineOfStream(stream, measure)?.belowLayerPercent ?? 0) : 0;
    return belowLayerPercent === undefined ? undefined : Math.max(0, belowLayerPercent - alone);
  },
  phrase: ({ stream, values }, value) => {
    const { name, width, turns } = layerAsked(stream) ?? {};
    const asked = turns ? 'the layer that it asked for then' : `the ${name} layer that it asked for`;
    const median = `${numberNear(values.frameWidth ?? 0)} px wide in the median`;
    const not = turns ? '' : `, and not ${numberNear(width ?? 0)}`;
    return `${streamPhrase(stream)} below ${asked} in ${numberNear(value, mostWrongPercent)} % of the time: ${median}${not}`;
  },
});

const slowSwitch = ruleOf({
  code: 'slow-switch',
  aggregate: 'switchP95Ms',
  words: { what: 'time to switch layers', statistic: 'p95' },
  unit: 'ms',
  limit: () => switchMostMs,
  value: ({ values }) => values.switchP95Ms,
  phrase: ({ stream, values: { switches = 0 } }, value) =>
    `${streamPhrase(stream)} of another layer up to ${numberNear(value, switchMostMs)} ms (p95 of ${switches}) after that was asked for`,
});

/** As many as in a minute; in a shorter window as many as they are. */
const unaskedSwitch = ruleOf({
  code: 'unasked-switch',
  aggregate: 'unaskedSwitches',
  words: { what: 'switches nobody asked for' },
  unit: 'count',
  limit: () => mostUnasked,
  value: ({ stream, values: { unaskedSwitches }, readMs = 0 }, measure) =>
    unaskedSwitches === undefined || isImpaired(stream, measure)
      ? undefined
      : unaskedSwitches / Math.max(1, readMs / minuteMs),
  phrase: ({ stream, values: { unaskedSwitches = 0 } }) =>
    `${streamPhrase(stream)} became of another layer ${unaskedSwitches} times without being asked to`,
});

export const layerRules: readonly BuiltInRule[] = [wrongLayer, slowSwitch, unaskedSwitch];
