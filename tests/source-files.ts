import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from './once.js';

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Import {
  /** A path relative to the repository (`analysis/judge/judge.ts`), `node:…`, or a package's name. */
  readonly target: string;
  readonly typeOnly: boolean;
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const elsewhere = new Set(['node_modules', 'dist', 'runs', 'test-results', 'playwright-report', '.git']);

/** Every TypeScript file of the repository, tests included; read once. */
export const sourceFiles = once((): readonly SourceFile[] => filesIn(root));

function filesIn(folder: string): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return elsewhere.has(entry.name) || entry.name.startsWith('dist.') ? [] : filesIn(path);
    if (!entry.name.endsWith('.ts') || entry.name.endsWith('.d.ts')) return [];
    return [{ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }];
  });
}

const statement = /^[ \t]*(import|export)\s+(type\s+)?(?:([^'"`;]*?)\s+from\s+)?['"]([^'"]+)['"]/gm;
const call = /\b(?:import|require)\(\s*['"`]([^'"`]+)['"`]\s*\)/g;

/** What a file imports: static, re-exported and dynamic, read without a compiler. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const code = withoutComments(text);
  const named = [...code.matchAll(statement)].map(([, , type, clause, from = '']) => ({
    target: resolved(path, from),
    typeOnly: type !== undefined || everyNameIsType(clause),
  }));
  const called = [...code.matchAll(call)].map(([, from = '']) => ({ target: resolved(path, from), typeOnly: false }));
  return [...named, ...called];
}

const lateNames = /\{([^{}]*)\}\s*=\s*await\s*$/;

/** What a file uses of others: `model/plan.ts Plan` for each name, `model/plan.ts *` where the names cannot be told. */
export function namesImported({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  const named = [...code.matchAll(statement)].flatMap(([, , , clause = '', from = '']) => {
    const names = /\{([\s\S]*)\}/.exec(clause)?.[1];
    return namesOf(names).map((name) => `${resolved(path, from)} ${name}`);
  });
  const called = [...code.matchAll(call)].flatMap(({ 1: from = '', index }) => {
    const names = lateNames.exec(code.slice(Math.max(0, index - 300), index))?.[1];
    return namesOf(names).map((name) => `${resolved(path, from)} ${name}`);
  });
  return [...named, ...called];
}

/** The names as the other file knows them, in `{ one, type Two as Second, three: alias }`. */
function namesOf(list: string | undefined): string[] {
  if (list === undefined) return ['*'];
  return list.split(',').flatMap((one) => /^\s*(?:type\s+)?(\w+)/.exec(one)?.[1] ?? []);
}

/** Comments go; strings stay, for they hold the paths. A `//` inside a string ends up cut, which no import has. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{(,])\/\/[^\n]*/g, '$1');
}

function everyNameIsType(clause: string | undefined): boolean {
  const names = /^\{([\s\S]*)\}$/.exec(clause?.trim() ?? '')?.[1];
  if (names === undefined) return false;
  return names.split(',').every((name) => name.trim() === '' || /^\s*type\s/.test(name));
}

function resolved(path: string, from: string): string {
  if (!from.startsWith('.')) return from.startsWith('node:') ? from : packageOf(from);
  return normalize(join(dirname(path), from))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '.ts');
}

function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
