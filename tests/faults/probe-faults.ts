import { expect } from '@playwright/test';
import { kill, midway, reasonOf, renderersOf } from './evidence-of-fault.js';
import { type Fault, once } from './fault.js';

/** What befalls the probes. */
export const probeFaults: readonly Fault[] = [
  once('chromium-killed', 'Chromium killed (SIGKILL) while measuring', {
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('--user-data-dir')) kill(pid, 'SIGKILL');
    },
    said: async (ended) => {
      const trial = ended.result().trials.find(({ verdict }) => verdict === 'void');
      expect(trial?.reasons.map(({ code }) => code)).toContain('browser-crashed');
      const record = (await ended.storedRun()).records.find(({ verdict }) => verdict.kind === 'void');
      const failures = record?.probes.flatMap((probe) => probe.failures.map(({ code }) => code));
      expect(failures).toContain('browser-crashed');
      return reasonOf(ended, 'browser-crashed');
    },
  }),
  // In Chromium's sandbox a renderer is the first process of a PID namespace: of what is sent from outside, only
  // SIGKILL and SIGSTOP reach it.
  once('renderer-killed', 'every renderer of Chromium killed (SIGKILL) while measuring', {
    long: true,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await renderersOf(tool)) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'page-crashed'),
  }),
  once('renderer-stopped', 'every renderer of Chromium stopped (SIGSTOP) while measuring, for good', {
    long: true,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await renderersOf(tool)) kill(pid, 'SIGSTOP');
    },
    said: (ended) => reasonOf(ended, 'samples-missing'),
  }),
];
