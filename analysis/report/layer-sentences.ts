import type { FinishedRun } from '../../model/finished-run.js';
import type { StreamSummary } from '../../model/trial.js';
import { mostWrongPercent } from '../judge/layer-rules.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';

/** Pictures of a layer above the one asked for cost the server and its link, and nobody notices them. */
export function layerSentences(run: FinishedRun): string[] {
  const seen = run.records.flatMap(({ index, size, streams, verdict, drill }) => {
    const above = verdict.kind === 'void' || drill ? [] : streams.filter((one) => abovePercent(one) > mostWrongPercent);
    return above.length === 0 ? [] : [{ index, size, above, asked: streams.filter(isAsked).length }];
  });
  const [worst] = [...seen].sort((a, b) => b.above.length / b.asked - a.above.length / a.asked);
  if (!worst) return [];
  const { index, size, above, asked } = worst;
  const trials = seen.length === 1 ? 'a trial' : plural(seen.length, 'trial');
  return [
    `Warning: the server sent layers above those asked for in ${trials}. In trial ${index} (${countOf(run, size)}) ${above.length} of ${plural(asked, 'received stream')} had them${longest(above)}. Nobody notices it, but it costs the server. --threshold "received.video.aboveLayer.share <= ${mostWrongPercent}%" makes it a limit.`,
  ];
}

const isAsked = ({ values }: StreamSummary): boolean => values.aboveLayerPercent !== undefined;
const abovePercent = ({ values }: StreamSummary): number => values.aboveLayerPercent ?? 0;

function longest(above: readonly StreamSummary[]): string {
  const [most] = [...above].sort((a, b) => abovePercent(b) - abovePercent(a));
  return most ? `, one of ${most.probe} for ${numberNear(abovePercent(most))} % of the time` : '';
}
