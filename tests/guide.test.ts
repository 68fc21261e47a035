import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { runHere } from './cli/run-here.js';
import { fenced, pages, wordsIn } from './pages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = pages().filter(({ path }) => path.startsWith('docs/guide/'));

/** They need neither server nor browser. The HTML page of a report needs a build. */
const runs = /^loadline (?:simulate|judge|compare|capacity|runs|report .*--format)\b/;

interface Shown {
  readonly command: string;
  readonly exitCode: number;
  /** Lines that the page shows below the command; each is part of a line that is printed. */
  readonly output: readonly string[];
}

/** Commands begin their line; what is indented below one is part of its output. */
function shownIn(text: string): readonly Shown[] {
  const shown: { command: string; exitCode: number; output: string[] }[] = [];
  for (const [, block = ''] of text.matchAll(fenced)) {
    for (const line of block.split('\n').filter((one) => one !== '')) {
      const [, command, exit] = /^(loadline .*?)(?: +# exit (\d+))?$/.exec(line) ?? [];
      if (command !== undefined) shown.push({ command, exitCode: Number(exit ?? 0), output: [] });
      else if (line.startsWith('    ')) shown.at(-1)?.output.push(line.trim());
    }
  }
  return shown;
}

test('the guide has twelve pages of 400 words at most, and the index links each', () => {
  expect(guide.map(({ path }) => path)).toHaveLength(12);
  expect(guide.filter(({ text }) => text.split(/\s+/).length > 400).map(({ path }) => path)).toEqual([]);
  const index = pages().find(({ path }) => path === 'docs/README.md')?.text ?? '';
  expect(guide.filter(({ path }) => !index.includes(`(${path.replace('docs/', '')})`))).toEqual([]);
});

for (const { path, text } of guide) {
  const commands = shownIn(text).filter(({ command }) => runs.test(command));
  if (commands.length === 0) continue;
  test(`${path}: its commands run in order, end as it says, and print what it shows`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loadline-guide-'));
    try {
      for (const name of ['docs', 'examples']) symlinkSync(join(root, name), join(folder, name));
      for (const { command, exitCode, output } of commands) {
        const ended = await runHere(wordsIn(command), { workingFolder: folder });
        expect(`${command}: ${ended.exitCode} ${ended.stderr.startsWith('error') ? ended.stderr : ''}`).toBe(
          `${command}: ${exitCode} `,
        );
        for (const line of output) expect(ended.stdout).toContain(line);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test('each plan file that a page shows whole is taken by plan', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-guide-'));
  try {
    const shown = pages().flatMap(({ path, text }) =>
      [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, yaml = '']) =>
        yaml.startsWith('scenario:') ? [{ path, yaml }] : [],
      ),
    );
    expect(shown.length).toBeGreaterThan(1);
    for (const { path, yaml } of shown) {
      writeFileSync(join(folder, 'plan.yaml'), yaml);
      const { exitCode, stderr } = await runHere(['plan', 'plan.yaml'], { workingFolder: folder });
      expect(`${path}: ${exitCode} ${stderr}`).toBe(`${path}: 0 `);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
