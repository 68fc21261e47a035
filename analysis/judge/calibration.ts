import type { KindCalibration, KindCalibrations } from '../../model/calibration.js';
import { listedWith } from '../../model/listed.js';
import { type ProbeKind, probeKindNames } from '../../model/probe-kinds.js';

export interface CalibrationStep {
  readonly probes: number;
  readonly carried: boolean;
  /** What stood in the way; a sentence. */
  readonly because?: string;
  readonly probeCores: number;
  readonly serverCores: number;
  readonly pssMb: number;
}

const startProbes = 4;
/** Of the host that the first step foretells: beyond it steps go up by a fifth. */
const cautiousShare = 0.6;
const growth = 1.2;
/** Of the way to what the steps so far foretell. */
const nearShare = 0.6;
const mostSteps = 8;
const mostProbes = 1000;

/**
 * The number of probes to try next, even because probes come in calls; `undefined` when enough is known. The first step
 * tells what a probe costs; each further one goes near to what those before foretell, at least up by a fifth; once a
 * number was too many, halfway down, until one that is carried and one that is not are a fifth apart.
 */
export function nextProbes(steps: readonly CalibrationStep[], cores: number): number | undefined {
  const [first] = steps;
  if (!first) return startProbes;
  if (steps.length >= mostSteps) return undefined;
  const carried = Math.max(0, ...steps.filter((step) => step.carried).map(({ probes }) => probes));
  const tooMany = Math.min(...steps.filter((step) => !step.carried).map(({ probes }) => probes));
  if (carried === 0) return tooMany <= 2 ? undefined : even(tooMany / 2);
  if (carried >= mostProbes) return undefined;
  if (Number.isFinite(tooMany)) {
    const middle = even((carried + tooMany) / 2);
    return tooMany <= Math.max(carried + 2, carried * growth) || middle <= carried ? undefined : middle;
  }
  if (steps.length === 1) {
    const cautious = (cautiousShare * cores * first.probes) / Math.max(0.01, first.probeCores + first.serverCores);
    return Math.min(mostProbes, Math.max(carried + 2, even(cautious)));
  }
  const least = Math.max(carried + 2, even(carried * growth));
  return Math.min(mostProbes, Math.max(least, even(carried + nearShare * (foretold(steps, cores) - carried))));
}

/** The same in sessions of so many members: as near to it as whole sessions come, and none twice. */
export function nextSessions(steps: readonly CalibrationStep[], cores: number, members: number): number | undefined {
  const probes = nextProbes(steps, cores);
  if (probes === undefined) return undefined;
  const near = Math.max(1, Math.round(probes / members));
  const tried = steps.map((step) => step.probes / members);
  if (!tried.includes(near)) return near;
  return steps.every(({ carried }) => carried) ? Math.max(...tried) + 1 : undefined;
}

/** Where the line through the smallest and the largest number that were carried reaches a full host. */
function foretold(steps: readonly CalibrationStep[], cores: number): number {
  const carried = steps.filter((step) => step.carried).sort((a, b) => a.probes - b.probes);
  const [low, high] = [carried[0], carried.at(-1)];
  if (!low || !high || low === high) return 0;
  const used = ({ probeCores, serverCores }: CalibrationStep) => probeCores + serverCores;
  const perProbe = (used(high) - used(low)) / (high.probes - low.probes);
  return perProbe > 0 ? Math.min(2 * high.probes, high.probes + (cores - used(high)) / perProbe) : 0;
}

const even = (value: number): number => 2 * Math.max(1, Math.round(value / 2));

export function calibrationOf(steps: readonly CalibrationStep[]): KindCalibration {
  const carried = [...steps].filter((step) => step.carried).sort((a, b) => b.probes - a.probes)[0];
  const failed = [...steps].filter((step) => !step.carried).sort((a, b) => a.probes - b.probes)[0];
  const costed = carried ?? failed;
  const probes = Math.max(1, costed?.probes ?? 1);
  return {
    coresPerProbe: (costed?.probeCores ?? 0) / probes,
    mbPerProbe: (costed?.pssMb ?? 0) / probes,
    serverCores: costed?.serverCores ?? 0,
    carries: carried?.probes ?? 0,
    ...(failed ? { tooMany: failed.probes } : {}),
    because: failed?.because ?? 'No more were tried.',
  };
}

/** For the plan; nothing where the host was never calibrated. `visits`: with the pages of the app that is visited. */
export function calibratedTexts(
  calibrated: (KindCalibrations & { readonly visits?: boolean }) | undefined,
): readonly string[] {
  if (!calibrated) return [];
  if (calibrated.visits) return [`this host carries about ${calibrated.full.carries} pages of this app (calibrated)`];
  return [`${carriesText(calibrated)} (calibrated)`];
}

type Carried = Readonly<Record<ProbeKind, Pick<KindCalibration, 'carries'>>>;

/** "this host carries about 120 native, 40 encoded or 10 full probes". */
export function carriesText(calibrated: Carried): string {
  const counts = probeKindNames.map((kind) => `${calibrated[kind].carries} ${kind}`);
  return `this host carries about ${listedWith('or', counts)} probes`;
}
