import { expect, test } from '@playwright/test';
import { aRun } from '../../tests/builders/run-builder.js';
import { environmentSection } from './environment.js';

test('what control groups give a server limits it as its own settings do', () => {
  const shown = (server: object) =>
    environmentSection(aRun([], { outcome: 'found', stable: 1, unstable: 2 }, server)).text;
  expect(shown({})).not.toContain('limited to');
  expect(shown({ heldTo: { cores: 2, memoryMb: 512 } })).toContain('2 cores and 512 MB of memory');
});
