import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../cli/command-line.js';
import { fakeProcess } from './cli/fake-process.js';
import { runHere } from './cli/run-here.js';
import { anchorsOf, codeOf, commandLinesOf, linksOf, pages, wholeRunsOf, wordsIn } from './pages.js';
import { sourceFiles } from './source-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const all = pages();
/** What changed is told with the names of its time. */
const ofToday = all.filter(({ path }) => path !== 'CHANGELOG.md');

/** Flags that a page names and no help lists. */
const otherFlags: Readonly<Record<string, string>> = {
  '--exit-with-stdin': 'hidden: how a run ties its server to itself',
  '--ignore-certificate-errors-spki-list': 'of Chromium',
  '--single-process': 'of Chromium',
  '--disable-audio-output': 'of Chromium',
  '--file': 'of docker',
  '--ignore-scripts': 'of npm',
  '--no-git-tag-version': 'of npm',
  '--optimize-for-size': 'of V8',
  '--web': 'of Prometheus, whose flags have points in them',
  '--scenario': 'of npm run real',
  '--players': 'of npm run real',
  '--json': 'of npm run real',
  '--write': 'of npm run real',
  '--toy-rooms': 'of the kind of server that the tests add',
};

async function helpOf(...words: readonly string[]): Promise<string> {
  const tool = fakeProcess({ args: [...words, '--help', '--all'] });
  await runCommandLine(tool);
  return tool.written.stdout();
}

const commandsIn = (help: string) =>
  [...(help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name = '']) => name,
  );
const flagsIn = (help: string) => [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag);

/** The flags of each command, those of the commands below it included. */
async function flagsOfCommands(): Promise<ReadonlyMap<string, readonly string[]>> {
  const flags = new Map<string, readonly string[]>();
  for (const command of commandsIn(await helpOf())) {
    const help = await helpOf(command);
    const below = await Promise.all(commandsIn(help).map((name) => helpOf(command, name)));
    flags.set(command, [help, ...below].flatMap(flagsIn));
  }
  return flags;
}

test('every link from a page to a file of the repository leads there, and to a heading that the file has', () => {
  const dead = all.flatMap((page) =>
    linksOf(page).flatMap(({ path, anchor }) => {
      const target = path === '' ? page.path : normalize(join(dirname(page.path), path));
      if (!existsSync(resolve(root, target))) return [`${page.path}: ${path}`];
      if (anchor === undefined || anchorsOf({ text: read(target) }).includes(anchor)) return [];
      return [`${page.path}: ${path}#${anchor}`];
    }),
  );
  expect(dead).toEqual([]);
});

test('every command line that a page shows is of a command that there is, with flags that it takes', async () => {
  const known = await flagsOfCommands();
  const wrong = ofToday.flatMap((page) =>
    codeOf(page)
      .flatMap(commandLinesOf)
      .flatMap(({ command, flags }) => {
        const takes = known.get(command);
        if (takes === undefined) return [`${page.path}: loadline ${command}`];
        return flags.filter((flag) => !takes.includes(flag)).map((flag) => `${page.path}: ${command} ${flag}`);
      }),
  );
  expect(wrong).toEqual([]);
});

/** A pace of its own would be a second one. */
const withoutPace = (line: string): string => line.replace(/ --pace \S+/, '');

test('every search, trial and simulation that a page or a help shows in full is read by the tool as it stands, its values too', async () => {
  const helps = await Promise.all(['find', 'try', 'simulate'].map((command) => helpOf(command)));
  const lines = [...ofToday.flatMap(codeOf), ...helps.flatMap((help) => help.split('\n').map((line) => line.trim()))];
  const shown = [...new Set(lines.flatMap(wholeRunsOf))];
  expect(shown.length).toBeGreaterThan(30);
  const env = { LOADLINE_TURN_SECRET: 'secret' };
  const faults: string[] = [];
  for (const line of shown) {
    // One more fault, which is told last and beside every other: where it is told alone, all else was understood.
    const { exitCode, stderr } = await runHere([...wordsIn(withoutPace(line)), '--pace', 'never'], {
      env,
      workingFolder: root,
    });
    const alone = exitCode === 2 && /: --pace must be participants per second.*"never"\./.test(stderr);
    if (!alone) faults.push(`${line}: ${stderr.split('\n')[0]}`);
  }
  expect(faults).toEqual([]);
});

test('every flag that a page names is one of some command, or said here to be of another program', async () => {
  const known = [...flagsIn(await helpOf()), ...[...(await flagsOfCommands()).values()].flat()];
  const wrong = ofToday.flatMap((page) =>
    codeOf(page)
      .flatMap((code) => /^--[a-z][a-z-]*/.exec(code) ?? [])
      .filter((flag) => !known.includes(flag) && !(flag in otherFlags))
      .map((flag) => `${page.path}: ${flag}`),
  );
  expect(wrong).toEqual([]);
});

test('the page of the command line has a row for each command, and for no other', async () => {
  const section = read('docs/reference/command-line.md').split('\n## Commands\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `loadline ([a-z-]+)/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual([...commandsIn(await helpOf())].sort());
});

test('every file of the repository that a page names is there, and every bench and npm script', () => {
  const files = sourceFiles();
  const rooms = [...new Set(files.map(({ path }) => path.split('/')[0] ?? '')), 'docs', 'docker', 'set-up'];
  // Hidden files are the reader's own: `docker/.env` holds their logins.
  const inRoom = new RegExp(`^(?:${rooms.join('|')})/(?!\\.)[\\w./-]+$`);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const isThere = (path: string) => {
    const folder = resolve(root, dirname(path));
    return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(path)));
  };
  const wrong = ofToday.flatMap((page) =>
    codeOf(page).flatMap((code) => {
      const words = code.split(/[\s=]+/);
      const paths = words
        .map((word) => word.replace(/^dist\/(bench\/.*)\.js$/, '$1.ts'))
        .filter((word) => inRoom.test(word));
      const run = /\bnpm run ([\w:-]+)/.exec(code)?.[1];
      return [
        ...paths.filter((path) => !/[A-Z]{3}/.test(path) && !isThere(path)),
        ...(run === undefined || run in scripts ? [] : [`npm run ${run}`]),
      ].map((one) => `${page.path}: ${one}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test('every variable of the environment that a page names is read by something', () => {
  const others = ['docker', 'set-up'].flatMap((folder) =>
    readdirSync(resolve(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
      .map(({ name }) => read(`${folder}/${name}`)),
  );
  const source = [...sourceFiles().map(({ text }) => text), ...others, read('package.json')].join('\n');
  /** Where the user chooses the rest of the name: `LOADLINE_REAL_JANUS`. */
  const prefixes = [...source.matchAll(/'(LOADLINE_[A-Z]+_)'/g)].map(([, prefix = '']) => prefix);
  const isRead = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(source) || prefixes.some((prefix) => name.startsWith(prefix));
  const wrong = ofToday.flatMap(({ path, text }) =>
    // `$NAME` is what somebody else sets, such as the address in an example of the monitor file.
    [...text.matchAll(/(?<![$\w])LOADLINE_[A-Z_]+/g)]
      .filter(([name]) => !isRead(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('links, headings and command lines are read as they are written', () => {
  const text =
    '# One `two`, three\n[a](b.md#c) [d](https://e) [f](#g)\n```\n[h](i)\nloadline find x \\\n  --max 3\n```\n';
  expect(linksOf({ text })).toEqual([
    { path: 'b.md', anchor: 'c' },
    { path: '', anchor: 'g' },
  ]);
  expect(anchorsOf({ text })).toEqual(['one-two-three']);
  expect(codeOf({ text }).flatMap(commandLinesOf)).toEqual([{ command: 'find', flags: ['--max'] }]);
  expect(commandLinesOf('loadline judge RUN --threshold "a --b" | tool --c')).toEqual([
    { command: 'judge', flags: ['--threshold'] },
  ]);
  expect(commandLinesOf('runs of loadline, and loadline.yaml')).toEqual([]);
});
