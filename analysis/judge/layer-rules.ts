import { switchMostMs } from '../../model/layer.js';
import { layerAsked } from '../../model/scenario.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import type { BuiltInRule } from './named-limit.js';

/** Share of the time with pictures, percent: three seconds of a minute, in which a switch waits for its key frame. */
export const mostWrongPercent = 5;
/** A minute: down, and up again. */
const mostUnasked = 2;
const minuteMs = 60_000;

type Layered = Pick<BuiltInRule, 'words' | 'code' | 'unit' | 'limit' | 'value' | 'phrase'> &
  Pick<BuiltInRule['subject'], 'aggregate'>;

/** Of streams of which a layer is asked for. On an impaired link the one that fits is right (`linkedValues`). */
const ruleOf = ({ aggregate, ...rule }: Layered): BuiltInRule => ({
  ...rule,
  subject: { aggregate, kind: 'video', direction: 'receive', ofBaseline: false, comparison: 'at-most' },
  comparison: 'at-most',
  concerns: (stream) => stream.direction === 'receive' && layerAsked(stream) !== undefined,
  mustBeMeasured: () => false,
});

/** Pictures below the layer asked for. Those above it nobody notices: a report tells them (`layerSentences`). */
const wrongLayer = ruleOf({
  code: 'wrong-layer',
  aggregate: 'belowLayerPercent',
  words: { what: 'time below the layer asked for' },
  unit: '%',
  limit: () => mostWrongPercent,
  value: ({ values }) => values.belowLayerPercent,
  phrase: ({ stream, values }, value) => {
    const { name, width, turns } = layerAsked(stream) ?? {};
    const asked = turns ? 'the layer that it asked for then' : `the ${name} layer that it asked for`;
    const median = `${numberNear(values.frameWidth ?? 0)} px wide in the median`;
    const not = turns ? '' : `, and not ${numberNear(width ?? 0)}`;
    return `${streamPhrase(stream)} below ${asked} in ${numberNear(value, mostWrongPercent)} % of the time: ${median}${not}`;
  },
});

/** Of fewer than this the 95th percentile is the longest (`percentile`). */
const enoughForP95 = 20;
export const switchSpread = (switches: number): string =>
  switches === 1 ? 'the only one' : `${switches < enoughForP95 ? 'the longest' : 'p95'} of ${switches}`;

const slowSwitch = ruleOf({
  code: 'slow-switch',
  aggregate: 'switchP95Ms',
  words: { what: 'time to switch layers', statistic: 'p95' },
  unit: 'ms',
  limit: () => switchMostMs,
  value: ({ values }) => values.switchP95Ms,
  phrase: ({ stream, values: { switches = 0 } }, value) =>
    `${streamPhrase(stream)} of another layer up to ${numberNear(value, switchMostMs)} ms (${switchSpread(switches)}) after that was asked for`,
});

/** As many as in a minute; in a shorter window as many as they are. */
const unaskedSwitch = ruleOf({
  code: 'unasked-switch',
  aggregate: 'unaskedSwitches',
  words: { what: 'switches nobody asked for' },
  unit: 'count',
  limit: () => mostUnasked,
  value: ({ values: { unaskedSwitches }, readMs = 0 }) =>
    unaskedSwitches && unaskedSwitches / Math.max(1, readMs / minuteMs),
  phrase: ({ stream, values: { unaskedSwitches = 0 } }) =>
    `${streamPhrase(stream)} became of another layer ${unaskedSwitches} times without being asked to`,
});

export const layerRules: readonly BuiltInRule[] = [wrongLayer, slowSwitch, unaskedSwitch];
