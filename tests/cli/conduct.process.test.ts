import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Conducted, conduct } from '../../cli/commands/conduct.js';
import { askedRun, readRunFlags } from '../../cli/options/run-flags.js';
import type { RunRequest } from '../../cli/options/run-request.js';
import { LoadlineError } from '../../model/errors.js';
import type { Manifest, RunResult } from '../../model/run.js';
import { embeddedAbilities } from '../../server-setup/embedded/abilities.js';
import { serverKinds } from '../../server-setup/kinds.js';
import type { Parts } from '../../trial/parts.js';
import { type FakeProcess, fakeProcess } from './fake-process.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-conduct-'));
  const chromium = join(folder, 'chromium');
  writeFileSync(chromium, '#!/bin/sh\necho "Chromium 150.0.0.0"\n');
  chmodSync(chromium, 0o755);
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const runs = () => readdirSync(join(folder, 'runs'));

function request(format: 'text' | 'json'): RunRequest {
  const flags = {
    server: 'embedded',
    reset: 'release',
    settle: '40s',
    measure: '60s',
    pace: '2/s',
    media: 'full',
    codec: 'VP8',
    videoKbps: '500',
    probesPerPage: '4',
    format,
  };
  const words = { ...flags, by: 'sessions', chromium: join(folder, 'chromium'), out: 'runs' };
  return readRunFlags('one-to-one', askedRun(words), serverKinds);
}

const tool = (terminal = false, env: Readonly<Record<string, string>> = {}): FakeProcess =>
  fakeProcess({ workingFolder: folder, terminal, env });

const resultOf = (parts: Parts): RunResult => ({
  scenario: 'one-to-one',
  server: 'embedded 0.1.0',
  unit: 'calls',
  limit: { stable: 2, unstable: 3, flaky: [] },
  probesAtLimit: 4,
  outcome: 'found',
  trials: [],
  runDirectory: parts.runDirectory,
  because: '3 was unstable.',
});

/** Stands for a run: its first and last event, as the conductor tells them. */
async function toldRun(
  parts: Parts,
  { plan }: RunRequest,
  during: () => Promise<void> = async () => {},
): Promise<Conducted> {
  const server = {
    kind: 'embedded',
    nature: 'for-trying',
    abilities: embeddedAbilities,
    name: 'embedded 0.1.0',
    version: '0.1.0',
    url: 'ws://x/kurento',
    sameHost: true,
  } as const;
  const { host, chromium, command, loadlineVersion: loadline } = parts;
  const startedAt = '2026-11-21T14:03:12.000Z';
  const manifest: Manifest = { format: 2, loadline, startedAt, command, plan, server, host, chromium };
  parts.listener({ type: 'run-started', manifest, runDirectory: parts.runDirectory });
  parts.listener({ type: 'trial-started', index: 1, size: 1, probes: 2, why: 'baseline', text: 'one alone' });
  const progress = { elapsedMs: 3000, boundMs: 60_000, probesAsked: 2, probesUp: 2, probesFailed: 0 };
  parts.listener({ type: 'second', index: 1, progress: { phase: 'measure', ...progress } });
  await during();
  const result = resultOf(parts);
  const answer = { outcome: result.outcome, because: result.because, stable: 2, unstable: 3, flaky: [] } as const;
  parts.listener({ type: 'run-ended', answer, result });
  return { result, exitCode: 0 };
}

test('with --format json stdout is one document and nothing else', async () => {
  const process = tool();
  const asked = request('json');
  expect(await conduct(asked, process, (parts) => toldRun(parts, asked))).toBe(0);
  expect(JSON.parse(process.written.stdout())).toMatchObject({ limit: { stable: 2 }, outcome: 'found' });
});

test('without a terminal standard error is plain lines, without a status line or colour', async () => {
  const process = tool(false);
  const asked = request('text');
  await conduct(asked, process, (parts) => toldRun(parts, asked));
  expect(process.written.stderr()).toContain('one-to-one on embedded 0.1.0');
  for (const control of ['\r', '\u001b']) expect(process.written.stderr()).not.toContain(control);
  expect(process.written.stderr()).not.toContain('measuring');
});

test('on a terminal the status line is drawn and taken away again before the summary', async () => {
  const process = tool(true);
  const asked = request('text');
  await conduct(asked, process, (parts) => toldRun(parts, asked));
  expect(process.written.stderr()).toContain('measuring 3/60 s');
  // The report of this run cannot be written, which is said after the last status line was erased.
  const [last, ...after] = process.written.stderr().split('\r\u001b[2K').reverse();
  expect(last).not.toContain('measuring');
  expect(after[0]).toContain('measuring');
});

for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
  test(`a terminal with ${JSON.stringify(env)} gets plain lines`, async () => {
    const process = tool(true, env);
    const asked = request('text');
    await conduct(asked, process, (parts) => toldRun(parts, asked));
    for (const control of ['\r', '\u001b']) expect(process.written.stderr()).not.toContain(control);
    expect(process.written.stdout()).not.toContain('\u001b');
  });
}

test('the first Ctrl-C aborts, what was measured is printed, and the exit code is 130', async () => {
  const process = tool();
  const asked = request('json');
  const code = await conduct(asked, process, (parts, signal) =>
    toldRun(parts, asked, async () => {
      process.raise('SIGINT');
      expect(signal.aborted).toBe(true);
    }),
  );
  expect(code).toBe(130);
  expect(process.exits).toEqual([]);
  expect(JSON.parse(process.written.stdout())).toMatchObject({ runDirectory: expect.stringContaining('runs') });
  expect(process.written.stderr()).toContain('SIGINT: stopping; what was measured is kept');
  expect(runs()).toHaveLength(1);
});

test('a second Ctrl-C ends the process at once', async () => {
  const process = tool();
  const asked = request('text');
  await conduct(asked, process, (parts) =>
    toldRun(parts, asked, async () => {
      process.raise('SIGTERM');
      process.raise('SIGINT');
    }),
  );
  expect(process.exits).toEqual([130]);
});

test('a server that cannot be reached ends the run before it started, and no folder of it is left', async () => {
  const unreachable = new LoadlineError('E_SERVER_UNREACHABLE', 'Nobody answers.');
  await expect(conduct(request('text'), tool(), () => Promise.reject(unreachable))).rejects.toBe(unreachable);
  expect(runs()).toEqual([]);
});

test('a run that fails after it has started keeps its folder', async () => {
  const asked = request('text');
  const full = new LoadlineError('E_DISK_FULL', 'No room.');
  const failing = (parts: Parts) => toldRun(parts, asked, () => Promise.reject(full));
  await expect(conduct(asked, tool(), failing)).rejects.toBe(full);
  expect(runs()).toHaveLength(1);
});

test('Ctrl-C while the media server is still starting is 130, not an error', async () => {
  const process = tool();
  const code = await conduct(request('text'), process, async () => {
    process.raise('SIGINT');
    throw new DOMException('aborted', 'AbortError');
  });
  expect(code).toBe(130);
  expect(process.written.stdout()).toBe('');
  expect(runs()).toEqual([]);
});
