import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { long } from '../../tests/effort.js';

const boundMs = 600;
/** Of a busy machine, where something can be stopped. */
const stopMs = 10_000;

/** Each with how the process ends in which it is the join script. */
const scripts: Readonly<Record<string, readonly [lines: readonly string[], ends: string, stopMs?: number]>> = {
  'a loop': [
    [
      'export default async ({ participant }) => {',
      '  await new Promise((resolve) => setTimeout(resolve, 50));',
      "  if (participant === '1b') while (true) {}",
      '};',
    ],
    'stuck join.mjs:3 1b',
  ],
  'a loop of promises': [
    ['export default async ({ participant }) => {', "  while (participant === '1a') await null;", '};'],
    'stuck join.mjs:2 1a',
  ],
  'a loop that is called later': [
    ['export default async ({ participant }) => {', '  setTimeout(() => { for (;;); }, 20);', '};'],
    'stuck join.mjs:2 1a',
  ],
  'a call that is not asynchronous': [
    ["import { execSync } from 'node:child_process';", "export default () => execSync('sleep 20');"],
    'killed no line nobody',
    200,
  ],
  'one that computes for a while': [
    ['export default () => {', '  for (const end = Date.now() + 250; Date.now() < end; );', '};'],
    'joined',
  ],
};

async function bundle(source: string, outfile: string): Promise<string> {
  const entry = fileURLToPath(new URL(source, import.meta.url));
  const order = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const;
  // Packages are found from where the bundle lies.
  await build({ ...order, entryPoints: [entry], outfile, logLevel: 'warning' });
  return outfile;
}

/** How the process ended, by its last line. */
function endOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 25_000 }, (_error, stdout, stderr) => {
      const [how = '', told = '{}'] = /^(stuck|killed) (.*)$/m.exec(stdout + stderr)?.slice(1) ?? [stdout.trim()];
      const { line = 'no line', participant = 'nobody' } = JSON.parse(told) as Record<string, string>;
      resolve(how === 'stuck' || how === 'killed' ? `${how} ${line} ${participant}` : `${how}${stderr}`);
    });
  });
}

test(
  'a join script that never gives way ends the process, with its line and participant where these can be had',
  long,
  async () => {
    test.setTimeout(60_000);
    // Beside the packages that the script's bundler needs.
    const folder = await mkdtemp(fileURLToPath(new URL('../../node_modules/.loadline-watch-', import.meta.url)));
    try {
      const program = await bundle('../../tests/visit/watched-script.ts', join(folder, 'program.mjs'));
      const watchdog = await bundle('script-watchdog.ts', join(folder, 'watchdog.mjs'));
      const ended: Record<string, string> = {};
      await Promise.all(
        Object.entries(scripts).map(async ([name, [lines, , ownStopMs = stopMs]], nth) => {
          const own = await mkdtemp(join(tmpdir(), `loadline-watch-${nth}-`));
          await writeFile(join(own, 'join.mjs'), lines.join('\n'));
          ended[name] = await endOf(program, [join(own, 'join.mjs'), watchdog, `${boundMs}`, `${ownStopMs}`]);
          await rm(own, { recursive: true });
        }),
      );
      expect(ended).toEqual(Object.fromEntries(Object.entries(scripts).map(([name, [, ends]]) => [name, ends])));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
