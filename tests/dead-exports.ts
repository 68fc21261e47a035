import { namesImported, type SourceFile, withoutComments } from './source-files.js';

/** Tests alone may use what these export: the dashboards are files that a test keeps up to date. */
const madeByTests = /^docker\//;
const isTest = (path: string) => path.startsWith('tests/') || path.endsWith('.test.ts');

/** A sentence for each export of the product that nothing of the product uses, its own file included. */
export function deadExports(files: readonly SourceFile[]): string[] {
  const product = files.filter(({ path }) => !isTest(path));
  const used = new Set(product.flatMap(namesImported));
  return product
    .filter(({ path }) => !madeByTests.test(path))
    .flatMap((file) =>
      exportsOf(file)
        .filter((name) => !used.has(`${file.path} ${name}`) && !used.has(`${file.path} *`) && !isUsedInside(file, name))
        .map((name) => `${file.path} exports ${name}, which nothing of the product uses`),
    );
}

const declared =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)/gm;
const listed = /^export\s+(?:type\s+)?\{([^}]*)\}/gm;

function exportsOf({ text }: SourceFile): string[] {
  const code = withoutComments(text);
  const lists = [...code.matchAll(listed)].flatMap(([, names = '']) => names.split(','));
  const aliases = lists.map((name) => /(\w+)\s*$/.exec(name)?.[1] ?? '').filter((name) => name !== '');
  return [...[...code.matchAll(declared)].map(([, name = '']) => name), ...aliases];
}

/** The first time is its declaration. */
function isUsedInside({ text }: SourceFile, name: string): boolean {
  return [...withoutComments(text).matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
}
