import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../cli/command-line.js';
import { serverKinds } from '../server-setup/kinds.js';
import type { ServerKind } from '../server-setup/server-kind.js';
import { fakeProcess } from './cli/fake-process.js';
import { toyKind } from './toy-server/kind.js';

/** The one line that adds a kind. */
const withToy: readonly ServerKind[] = [...serverKinds, toyKind];

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-kinds-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function loadline(args: readonly string[], kinds = withToy) {
  const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') };
  const tool = fakeProcess({ args, workingFolder: folder, env });
  const exitCode = await runCommandLine(tool, kinds);
  return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr() };
}

const whipAt = (host: string) => ['--whip', `${host}/{stream}/whip`, '--whep', `${host}/{stream}/whep`];

test('doctor takes the addresses of a server that is named by a word', async () => {
  const { stdout } = await loadline([
    ...['doctor', '--server', 'whip', ...whipAt('http://127.0.0.1:9'), '--chromium', join(folder, 'none')],
  ]);
  expect(stdout).toContain('The media server cannot be reached (OPTIONS)');
});

test('doctor starts a server of an added kind, and looks for the programs that it needs', async () => {
  const { stdout } = await loadline(['doctor', '--server', 'toy://here', '--chromium', join(folder, 'none')]);
  expect(stdout).toContain('✓ toy 1.2 answers at toy://here');
  expect(stdout).toContain('a toy box is not installed, needed for putting the toy away only');
  expect(stdout).not.toContain('GStreamer');
});
