import { expect, test } from '@playwright/test';
import { importCircles } from './import-circles.js';
import { brokenImports, importTable } from './import-table.js';
import { once } from './once.js';
import { strayWords } from './one-servers-words.js';
import { importsOf, sourceFiles, withoutComments } from './source-files.js';

const product = once(() => sourceFiles().filter(({ path }) => !path.endsWith('.test.ts')));
const longestFile = 250;
/** A test file is a list of claims, and may be longer than a file of the product. */
const longestTest = 400;
/** Kurento's own word for one of its objects. */
const namedByOthers = new Set(['embedded-server/objects/server-manager.ts']);
const vagueNames = /(^|[-/])(utils?|helpers?|common|managers?|services?)([-./]|$)/;

/** Where the process itself may be touched: the command line, what runs before it, and benches. */
const ownProcess = /^(cli|set-up|bench|tests)\/|^[^/]+\.config\.ts$/;

test('every folder imports only what the import table allows', () => {
  expect(product().flatMap((file) => brokenImports(file))).toEqual([]);
});

test('what runs in pages has no package in it, which a visited app would see and each probe would load', () => {
  const files = new Map(product().map((file) => [file.path, file]));
  const reached = new Set(['probes/page/main.ts', 'probes/page/visit/main.ts']);
  const packages: string[] = [];
  for (const path of reached) {
    const file = files.get(path);
    for (const { target, typeOnly } of file ? importsOf(file) : []) {
      if (!typeOnly && files.has(target)) reached.add(target);
      else if (!typeOnly) packages.push(`${path} imports ${target}`);
    }
  }
  expect(reached.size).toBeGreaterThan(20);
  expect(packages).toEqual([]);
});

test('no files import each other in a ring, types included', () => {
  expect(importCircles(sourceFiles())).toEqual([]);
});

test('a ring of imports is named once, from its first file, and by its shortest way', () => {
  const file = (path: string, ...targets: string[]) => ({
    path: `model/${path}.ts`,
    text: targets.map((target) => `import type { T } from './${target}.js';`).join('\n'),
  });
  expect(importCircles([file('a', 'b'), file('b', 'c'), file('c')])).toEqual([]);
  expect(importCircles([file('c', 'b'), file('a', 'c', 'b'), file('b', 'c', 'a')])).toEqual([
    'model/a.ts → model/b.ts → model/a.ts',
    'model/c.ts → model/b.ts → model/c.ts',
  ]);
  expect(importCircles([file('x', 'y'), file('y', 'z'), file('z', 'x'), file('lone', 'x')])).toEqual([
    'model/x.ts → model/y.ts → model/z.ts → model/x.ts',
  ]);
});

test('no source file is longer than 250 lines, and no test than 400', () => {
  const long = sourceFiles()
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .map((file) => ({ ...file, most: file.path.endsWith('.test.ts') ? longestTest : longestFile }))
    .filter(({ lines, most }) => lines > most)
    .map(({ path, lines, most }) => `${path} has ${lines} lines; ${most} are the most`);
  expect(long).toEqual([]);
});

test('no pure test sleeps: it waits for what is to come', () => {
  const pure = /(?<!\.(process|page|system))\.test\.ts$/;
  const sleeps = sourceFiles().filter(({ path, text }) => pure.test(path) && /(?<!\.)\bsetTimeout\b/.test(text));
  // A thread that must be seen to have been ended.
  expect(sleeps.map(({ path }) => path).filter((path) => path !== 'cli/report/fold-part.test.ts')).toEqual([
    'tests/architecture.test.ts',
  ]);
});

test('a change in any folder of the product makes the next start build anew', async () => {
  // By a path that the compiler does not follow: set-up is plain JavaScript.
  const path = '../set-up/sources.mjs';
  const { folders } = (await import(path)) as { readonly folders: readonly string[] };
  const missing = importTable.filter(({ folder }) => !folder.includes('/') && !folders.includes(folder));
  expect(missing.map(({ folder }) => `set-up/sources.mjs lacks ${folder}`)).toEqual([]);
});

test('nothing but configuration has a default export', () => {
  const guilty = sourceFiles()
    .filter(({ path, text }) => !path.endsWith('.config.ts') && /^export default\b/m.test(withoutComments(text)))
    .map(({ path }) => `${path} has a default export`);
  expect(guilty).toEqual([]);
});

test('only the command line touches the process', () => {
  const guilty = product()
    .filter(
      ({ path, text }) =>
        !ownProcess.test(path) &&
        /(?<![\w.#])process\.(argv|env|stdin|stdout|stderr|exit|exitCode|on|once|off|abort|cwd|chdir|emitWarning)\b/.test(
          codeOf(text),
        ),
    )
    .map(({ path }) => `${path} uses process.*; only cli may`);
  expect(guilty).toEqual([]);
});

test('the command line is imported by nobody', () => {
  const guilty = product()
    .filter(({ path }) => !/^(cli|tests|bench)\//.test(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith('cli/'))
        .map(({ target }) => `${file.path} imports ${target}; nothing may import cli`),
    );
  expect(guilty).toEqual([]);
});

test('files are named for what they are, not utils, helpers, common, manager or service', () => {
  expect(
    sourceFiles()
      .map(({ path }) => path)
      .filter((path) => vagueNames.test(path) && !namedByOthers.has(path)),
  ).toEqual([]);
});

test('file names are in kebab-case', () => {
  expect(
    sourceFiles()
      .map(({ path }) => path)
      .filter((path) => !/^([a-z0-9.-]+\/)*[a-z0-9.-]+\.ts$/.test(path)),
  ).toEqual([]);
});

test('the words of one server stand where it is spoken to, and nowhere else', () => {
  expect(strayWords(sourceFiles())).toEqual([]);
});

test('a word of one server is found in names and in quotes, and may stand in comments', () => {
  const stray = (text: string, path = 'analysis/judge/judge.ts') => strayWords([{ path, text }]);
  expect(stray("if (server.kind === 'kurento') return;")).toEqual([
    'analysis/judge/judge.ts says kurento, a word of one server',
  ]);
  expect(stray('const foreignPipelines = 3;')).toHaveLength(1);
  expect(stray('/** As a Kurento does. */ // not a Composite')).toEqual([]);
  expect(stray("const name = 'Composite';", 'server-setup/kurento/kind.ts')).toEqual([]);
  expect(stray("const name = 'Composite';", 'server-setup/janus/kind.ts')).toHaveLength(1);
  expect(stray('const videoRoom = 3;')).toHaveLength(1);
});

test('what is pure has no clock, no chance and no timer', () => {
  const impure = /\b(Date\.now|new Date\(\)|performance\.now|Math\.random|setTimeout|setInterval)\b/;
  const guilty = product()
    .filter(({ path, text }) => /^(model|scenarios|analysis)\//.test(path) && impure.test(codeOf(text)))
    .map(({ path, text }) => `${path} uses ${impure.exec(codeOf(text))?.[0]}; it must be pure`);
  expect(guilty).toEqual([]);
});

test('of two rooms of the analysis, at most one imports the other', () => {
  const mutual = importTable.filter(({ folder, folders }) =>
    importTable.some((other) => folders.includes(other.folder) && other.folders.includes(folder)),
  );
  expect(mutual).toEqual([]);
});

test('an import that breaks the table is named with what is allowed', () => {
  const broken = (text: string, path = 'probes/fleet-of-chromium.ts') => brokenImports({ path, text });
  expect(broken("import { judge } from '../analysis/judge/judge.js';")).toEqual([
    'probes/fleet-of-chromium.ts imports analysis/judge/judge.ts; probes may import: model, host, types of probes/page/wire.ts, playwright-core',
  ]);
  expect(broken("import type { Verdict } from '../analysis/verdict.js';")).toHaveLength(1);
  expect(broken("export * from '../store/sink.js';")).toHaveLength(1);
  expect(broken("const late = await import('../store/sink.js');")).toHaveLength(1);
  expect(broken("import {\n  a,\n  b,\n} from '../trial/parts.js';")).toHaveLength(1);
  expect(broken("import '../cli/main.js';")).toHaveLength(1);
  expect(broken("import ws from 'ws';")).toHaveLength(1);
  expect(broken("import { x } from './page/probe.js';")).toHaveLength(1);
  expect(broken("// import { judge } from '../analysis/judge/judge.js';")).toEqual([]);
  expect(broken("import { a } from '../model/plan.js';\nimport { b } from './browser.js';")).toEqual([]);
});

test('the conductor may import the types of the interface files, and nothing that runs', () => {
  const broken = (text: string) => brokenImports({ path: 'trial/parts.ts', text });
  expect(broken("import type { Fleet } from '../probes/fleet.js';")).toEqual([]);
  expect(broken("import { type Fleet, type StartFleet } from '../probes/fleet.js';")).toEqual([]);
  expect(broken("import { type Fleet, start } from '../probes/fleet.js';")).toHaveLength(1);
  expect(broken("import type { Browser } from '../probes/chromium/browser.js';")).toHaveLength(1);
});

/** Without comments and without what stands in quotes. */
function codeOf(text: string): string {
  return withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}
