import { expect, test } from '@playwright/test';
import { deadExports } from './dead-exports.js';
import { sourceFiles } from './source-files.js';

test('every export of the product is imported: by the product, or by tests of what its own file uses', () => {
  expect(deadExports(sourceFiles())).toEqual([]);
});

test('an export is used by an import, by name, late or passed on; a test counts for what its own file uses, too', () => {
  const of = (text: string, path = 'cli/b.ts') =>
    deadExports([
      { path: 'model/a.ts', text: 'export function one() {}\nexport type Two = 1;\nexport const three = 3;\n' },
      { path, text },
    ]).map((sentence) => /exports (\w+)/.exec(sentence)?.[1]);
  expect(of('')).toEqual(['one', 'Two', 'three']);
  expect(of("import { one, type Two as Second } from '../model/a.js';")).toEqual(['three']);
  expect(of("import type {\n  Two,\n} from '../model/a.js';")).toEqual(['one', 'three']);
  expect(of("const { one } = await import('../model/a.js');")).toEqual(['Two', 'three']);
  expect(of("const all = await import('../model/a.js');")).toEqual([]);
  expect(of("export { one } from '../model/a.js';")).toEqual(['Two', 'three', 'one']);
  expect(of("import { one, Two, three } from '../model/a.js';", 'tests/b.ts')).toEqual(['one', 'Two', 'three']);
  expect(of("// import { one } from '../model/a.js';")).toContain('one');
  const usedInside = { path: 'model/a.ts', text: 'export const one = 1;\nconsole.log(one);\n' };
  expect(deadExports([usedInside])).toEqual(['model/a.ts exports one, which nothing of the product imports']);
  expect(deadExports([usedInside, { path: 'model/a.test.ts', text: "import { one } from './a.js';" }])).toEqual([]);
});
