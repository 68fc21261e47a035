import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from '../../tests/cli/run-here.js';
import { long } from '../../tests/effort.js';
import { isInstalled } from '../../tests/installed.js';
import { type Shell, shells } from './completion.js';

let folder: string;
const script = (shell: Shell) => join(folder, `completion.${shell}`);

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-completion-'));
  for (const shell of shells) writeFileSync(script(shell), (await runHere(['completion', shell])).stdout);
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  test.skip(!isInstalled(['zsh']), 'there is no zsh here (apt-get install zsh)');
  const program = `autoload -Uz compinit && compinit -D && source '${script('zsh')}' && whence -w _loadline`;
  expect(execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8' })).toBe('_loadline: function\n');
});

/**
 * Types into an interactive zsh, presses Tab, and tells what then stands there. The script is where compinit looks for
 * it; -u, because folders above may be everybody's.
 */
const zshTyping = (words: readonly string[]) => `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; fpath=($PWD $fpath); autoload -Uz compinit && compinit -u -D'
zpty -w shell 'told() { print -r -- "<$BUFFER>"; BUFFER=; }; zle -N told; bindkey "^X" told; print rea""dy'
zpty -r -m shell said '*ready*'
for line in ${words.map((word) => `'${word}'`).join(' ')}; do
  zpty -w -n shell "$line"$'\\t\\x18'
  zpty -r -m shell said '*<*>*'
  print -r -- "\${\${said##*<}%%>*}"
done`;

test('zsh completes commands, flags, the words behind them, scenarios and files where Tab is pressed', long, () => {
  test.skip(!isInstalled(['zsh']), 'there is no zsh here (apt-get install zsh)');
  test.slow();
  writeFileSync(join(folder, '_loadline'), readFileSync(script('zsh')));
  const completed = {
    'loadline si': 'loadline simulate ',
    'loadline find --egr': 'loadline find --egress-limit ',
    'loadline find --preset tw': 'loadline find --preset twilio ',
    'loadline try --size 4 one': 'loadline try --size 4 one-to-one ',
    'loadline judge completion.b': 'loadline judge completion.bash ',
    'loadline monitor rep': 'loadline monitor report ',
    'loadline monitor report --onl': 'loadline monitor report --onl',
    'loadline report --format ma': 'loadline report --format markdown ',
    'loadline runs --format ma': 'loadline runs --format ma',
  };
  const program = zshTyping(Object.keys(completed));
  const said = execFileSync('zsh', ['-f', '-c', program], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  expect(
    said
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual(Object.values(completed).map((line) => line.trimEnd()));
});

test('fish offers the words of a flag and the flags of a command', () => {
  test.skip(!isInstalled(['fish']), 'there is no fish here (apt-get install fish)');
  const offered = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source '${script('fish')}'; complete -C '${line}'`], {
      cwd: folder,
      encoding: 'utf8',
    })
      .split('\n')
      .map((word) => word.split('\t')[0] ?? '');
  expect(offered('loadline find --preset t').filter((word) => word !== '')).toEqual(['teams', 'twilio']);
  expect(offered('loadline find --egr')).toContain('--egress-limit');
  expect(offered('loadline si')).toContain('simulate');
  expect(offered('loadline try --size 4 one')).toContain('one-to-one');
  expect(offered('loadline judge completion.z')).toContain('completion.zsh');
  expect(offered('loadline find --out completion.z')).toContain('completion.zsh');
  expect(offered('loadline monitor rep')).toContain('report');
  expect(offered('loadline monitor report --onl').filter((word) => word !== '')).toEqual([]);
  expect(offered('loadline report --format ma')).toContain('markdown');
});

test('a shell that is not known is refused with those that are', async () => {
  const { exitCode, stderr } = await runHere(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('must be bash or zsh or fish, not "tcsh"');
});
