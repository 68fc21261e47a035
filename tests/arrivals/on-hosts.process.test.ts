import { expect, test } from '@playwright/test';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import type { Step } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';
import { hostFleets } from '../../probes/hosts/hosts-fleet.js';
import { scenarioOf } from '../../scenarios/index.js';
import { conductRun } from '../../trial/conduct-run.js';
import { type HostStory, onHosts } from '../hosts-stage.js';
import { aMemorySink } from '../simulated-run.js';
import { aPlanOfBrowsers, browsingFleets, browsingParts } from './browsing-trial.js';

const holdMs = 1500;
const startArriving: HostStory['startArriving'] = (now) =>
  browsingFleets({ ...wallClock, nowMs: now }, { describeMs: 5, mediaMs: 100 });

test('a trial by arrivals on two hosts, one of whose clocks is 5 s ahead, is told by the clock of the conductor', () =>
  onHosts(
    [
      { name: 'a', startArriving },
      { name: 'b', aheadMs: 5000, startArriving },
    ],
    async (stage) => {
      const plan = aPlanOfBrowsers(holdMs, 2000);
      const scenario = scenarioOf(plan);
      if (!scenario) throw new Error('no scenario');
      const real = { clock: wallClock, startMs: Date.now() };
      const { parts, open } = browsingParts({ queue: { serviceMs: () => 5 } }, real);
      const records: TrialRecord[] = [];
      const samples: Sample[] = [];
      const sink = {
        ...aMemorySink(),
        writeSamples: (_: number, batch: readonly Sample[]) => void samples.push(...batch),
        writeTrial: async (record: TrialRecord) => void records.push(record),
      };
      const startFleet = hostFleets(await stage.pool());
      const step = ({ length }: readonly unknown[]): Step =>
        length === 0
          ? { kind: 'try', size: 20, why: 'fixed', text: 'once' }
          : { kind: 'done', answer: { outcome: 'found', stable: 20, unstable: null, flaky: [], because: 'done' } };
      await conductRun({ plan, scenario }, step, { ...parts, startFleet, sinks: [sink] }, new AbortController().signal);

      const [record] = records;
      if (!record) throw new Error('no trial');
      const { arrivals, probes, window } = record;
      expect(arrivals).toMatchObject({ due: 8, begun: 8, answered: 8, leftBadly: 0 });
      expect(arrivals?.answer.maxMs).toBeLessThan(1000);
      expect(arrivals?.late.minMs).toBeGreaterThan(-50);
      expect(probes.map(({ participant, host }) => `${participant.id.slice(1)} ${host}`)).toEqual(
        probes.map((_, nth) => (nth % 2 === 0 ? 'a a' : 'b b')),
      );
      const { startMs = 0, endMs = 0 } = window ?? {};
      for (const { there } of probes) {
        expect(there?.fromMs).toBeGreaterThan(startMs - holdMs - 50);
        expect(there?.fromMs).toBeLessThan(endMs + 1000);
        if (there?.untilMs !== undefined) expect(Math.abs(there.untilMs - there.fromMs - holdMs)).toBeLessThan(500);
      }
      expect(new Set(samples.map(({ host }) => host))).toEqual(new Set(['a', 'b']));
      expect(samples.every(({ atMs }) => atMs > startMs - holdMs && atMs < endMs + 1000)).toBe(true);
      expect(record.verdict.reasons.map(({ code }) => code)).not.toContain('generator-late');
      expect(open.size).toBe(0);
    },
  ));
