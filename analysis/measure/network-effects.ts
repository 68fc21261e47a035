import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { isCleanNetwork } from '../../model/network.js';
import { sourceOfStream } from '../../model/scenario.js';
import type { Baseline, TrialRecord } from '../../model/trial.js';
import { mean, sum } from '../statistics/statistics.js';
import { baselineOfStreams } from './baseline.js';
import { entryBetween, kindInBaseline, sourceNetwork } from './baseline-key.js';

/** How the participants of a network fared at a size, beside what one session alone had there. */
export interface NetworkEffect {
  readonly network: string;
  readonly impaired: boolean;
  readonly participants: number;
  /** Of received video, means over streams. A worse network of the sender counts, too. */
  readonly lossPercent?: number;
  readonly aloneLossPercent?: number;
  /** Of all the streams together by which the loss alone is known. */
  readonly aloneKbps: number;
  /** Of what they had alone. */
  readonly fpsPercent?: number;
}

export function networkEffects(run: FinishedRun, trials: readonly TrialRecord[]): NetworkEffect[] {
  const alone = aloneOf(run.records);
  if (!alone) return [];
  const participantsAlone = alone.probes.map(({ participant }) => participant);
  const baseline = baselineOfStreams(alone.streams, participantsAlone);
  return (run.manifest.plan.networks ?? []).flatMap((network): NetworkEffect[] => {
    const own = trials.flatMap((trial) => receivedVideo(trial, network.name, baseline));
    if (own.length === 0) return [];
    const meanOf = (read: (stream: ComparedStream) => number | undefined) =>
      mean(own.flatMap((stream) => read(stream) ?? []));
    const values = given({
      lossPercent: meanOf(({ loss }) => loss),
      aloneLossPercent: meanOf(({ aloneLoss }) => aloneLoss),
      fpsPercent: meanOf(({ fps, aloneFps }) => (fps === undefined || !aloneFps ? undefined : (100 * fps) / aloneFps)),
    });
    const participants = Math.max(...trials.map((trial) => membersOf(trial, network.name).length));
    const aloneKbps = sum(receivedVideo(alone, network.name, baseline).map(({ kbps }) => kbps));
    return [{ network: network.name, impaired: !isCleanNetwork(network), participants, aloneKbps, ...values }];
  });
}

interface ComparedStream {
  readonly kbps: number;
  readonly loss: number | undefined;
  readonly aloneLoss: number | undefined;
  readonly fps: number | undefined;
  readonly aloneFps: number | undefined;
}

function receivedVideo(trial: TrialRecord, network: string, baseline: Baseline): ComparedStream[] {
  return trial.streams.flatMap(({ probe, leg: legId, direction, kind, stream, values }) => {
    const participant = membersOf(trial, network).find(({ id }) => id === probe);
    if (direction !== 'receive' || kind !== 'video' || !participant) return [];
    const leg = participant.legs.find(({ id }) => id === legId);
    const from = leg && sourceOfStream(leg, kind, stream);
    const source = sourceNetwork(direction, from, network);
    // Who hears somebody on another network says of neither network alone what it does.
    if (source !== network) return [];
    const asked = kindInBaseline({ direction, kind, ...given({ stream, from }) });
    const alone = entryBetween(baseline, [participant.role, direction, asked], network, source);
    const { bitrateKbps: kbps = 0, lossPercent: loss, fps } = values;
    return [{ kbps, loss, aloneLoss: alone?.lossPercent, fps, aloneFps: alone?.fps }];
  });
}

function membersOf({ probes }: TrialRecord, network: string) {
  return probes.map(({ participant }) => participant).filter((participant) => participant.network === network);
}

/** The run's yardstick: its first trial, when that was stable. */
function aloneOf(records: readonly TrialRecord[]): TrialRecord | undefined {
  const [first] = records;
  return records.find(({ size, verdict }) => size === first?.size && verdict.kind === 'stable');
}

/** How many participants of a network failed a limit, at worst in one of these trials. */
export function shareOfReasons(trials: readonly TrialRecord[], network: string): number {
  return Math.max(
    0,
    ...trials.map((trial) => {
      const failing = new Set(trial.verdict.reasons.flatMap(({ probe }) => probe ?? []));
      return membersOf(trial, network).filter(({ id }) => failing.has(id)).length;
    }),
  );
}
