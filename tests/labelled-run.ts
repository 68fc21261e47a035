import { runResult } from '../analysis/search/result.js';
import { planSchema } from '../model/plan.js';
import type { Answer, Manifest } from '../model/run.js';
import type { TrialRecord } from '../model/trial.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { aManifest, aRecord } from './stored-run.js';

interface LabelledRun extends Pick<Manifest, 'tags' | 'hostType'>, Pick<Manifest['plan'], 'panel'> {
  readonly limit: number;
  /** The number of the run: it starts so many hours after the first. */
  readonly hour: number;
  readonly coresPerCall?: number;
  /** Limits that the run was judged by, beside the usual ones. */
  readonly jitterMsMax?: number;
}

/**
 * A stored search for calls that found this limit, as few trials as that takes, without conducting them. Returns its
 * folder.
 */
export async function labelledRun(parent: string, run: LabelledRun): Promise<string> {
  const { limit, hour, coresPerCall = 0.05, jitterMsMax = 30, tags, hostType, panel } = run;
  const startedAtMs = Date.UTC(2026, 10, 21, hour);
  const runDirectory = await createRunDirectory({ parent, scenario: 'one-to-one', server: 'embedded', startedAtMs });
  const manifest = aManifest({
    startedAt: new Date(startedAtMs).toISOString(),
    unit: { one: 'call', many: 'calls' },
    plan: planSchema.parse({
      scenario: 'one-to-one',
      server: { kind: 'embedded' },
      search: { confirm: 1, refute: 1, within: 1 },
      thresholds: { jitterMsMax },
      panel,
    }),
    ...(tags ? { tags } : {}),
    ...(hostType === undefined ? {} : { hostType }),
  });
  const trial = (index: number, size: number, kind: 'stable' | 'unstable'): TrialRecord =>
    aRecord(index, {
      size,
      probesAsked: 2 * size,
      probesUp: 2 * size,
      streams: Array.from({ length: 2 * size }, (_, nth) => ({
        probe: `${nth}a`,
        leg: `${nth}a`,
        direction: 'receive' as const,
        kind: 'video' as const,
        values: { bitrateKbps: 500 },
      })),
      verdict: { kind, reasons: [], thresholds: [] },
      load: { samplesExpected: 1, samplesGot: 1, serverCoresMean: 0.01 + coresPerCall * size },
    });
  const records = [trial(1, 1, 'stable'), trial(2, limit, 'stable'), trial(3, limit + 1, 'unstable')];
  const answer: Answer = { outcome: 'found', stable: limit, unstable: limit + 1, flaky: [], because: 'So it is.' };
  const sink = runDirectorySink(runDirectory);
  await sink.open(manifest);
  for (const record of records) await sink.writeTrial(record, { probeHost: [], server: [] });
  await sink.writeAnswer(answer, runResult({ manifest, records, answer, runDirectory }));
  await sink.close();
  return runDirectory;
}
