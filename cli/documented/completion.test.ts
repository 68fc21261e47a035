import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from '../../tests/cli/run-here.js';
import { type Shell, shells } from './completion.js';

let folder: string;
const script = (shell: Shell) => join(folder, `completion.${shell}`);

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-completion-'));
  for (const shell of shells) writeFileSync(script(shell), (await runHere(['completion', shell])).stdout);
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isHere = (program: string) => spawnSync(program, ['--version']).status === 0;

/** What bash would offer for the last of these words. */
function offeredByBash(...words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  // `compopt` works in a completion alone.
  const program = `compopt() { :; }; source '${script('bash')}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _loadline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['--norc', '-c', program], { cwd: folder, encoding: 'utf8' });
  return said.split('\n').filter((word) => word !== '');
}

test('bash offers commands, the flags of a command, what may stand behind a flag, scenarios, and files', () => {
  expect(offeredByBash('loadline', 'si')).toEqual(['simulate']);
  expect(offeredByBash('loadline', '')).toEqual(expect.arrayContaining(['find', 'monitor', 'completion']));
  expect(offeredByBash('loadline', 'find', '--egr')).toEqual(['--egress-limit']);
  expect(offeredByBash('loadline', 'find', '--preset', 't')).toEqual(['twilio', 'teams']);
  expect(offeredByBash('loadline', 'report', '--format', 'm')).toEqual(['markdown']);
  expect(offeredByBash('loadline', 'runs', '--format', 'm')).toEqual([]);
  expect(offeredByBash('loadline', 'try', '--size', '4', 'one')).toEqual(['one-to-one']);
  expect(offeredByBash('loadline', 'judge', 'completion.z')).toEqual(['completion.zsh']);
  expect(offeredByBash('loadline', 'find', '--out', 'completion.f')).toEqual(['completion.fish']);
});

test('what is below a command has flags of its own, and a word that only looks like a command has none', () => {
  expect(offeredByBash('loadline', 'monitor', 'rep')).toContain('report');
  expect(offeredByBash('loadline', 'monitor', 'report', '--on')).toEqual([]);
  expect(offeredByBash('loadline', 'monitor', '--on')).toEqual(['--once', '--only']);
  expect(offeredByBash('loadline', 'find', '--out', 'runs', '--requ')).toEqual(['--require']);
});

test('hidden commands are offered by no shell, and every other one by each', async () => {
  const { stdout } = await runHere(['--help']);
  const commands = [...(stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name = '']) => name,
  );
  expect(commands.length).toBeGreaterThan(15);
  for (const shell of shells) {
    const { stdout: text } = await runHere(['completion', shell]);
    expect(commands.filter((name) => !text.includes(name))).toEqual([]);
    expect(text).not.toContain('link-end');
  }
});

test('zsh reads its script without a complaint', () => {
  test.skip(!isHere('zsh'), 'there is no zsh here');
  const program = `autoload -Uz compinit && compinit -D && source '${script('zsh')}' && whence -w _loadline`;
  expect(execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8' })).toBe('_loadline: function\n');
});

test('fish offers the words of a flag and the flags of a command', () => {
  test.skip(!isHere('fish'), 'there is no fish here');
  const offered = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source '${script('fish')}'; complete -C '${line}'`], {
      encoding: 'utf8',
    })
      .split('\n')
      .map((word) => word.split('\t')[0] ?? '');
  expect(offered('loadline find --preset t').filter((word) => word !== '')).toEqual(['teams', 'twilio']);
  expect(offered('loadline find --egr')).toContain('--egress-limit');
  expect(offered('loadline si')).toContain('simulate');
});

test('a shell that is not known is refused with those that are', async () => {
  const { exitCode, stderr } = await runHere(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('must be bash or zsh or fish, not "tcsh"');
});
