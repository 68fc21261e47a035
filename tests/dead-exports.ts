import { namesImported, type SourceFile, withoutComments } from './source-files.js';

/** Tests alone may use what these export: the dashboards are files that a test keeps up to date. */
const madeByTests = /^docker\//;
const isTest = (path: string) => path.startsWith('tests/') || path.endsWith('.test.ts');

/**
 * A sentence for each export of the product that no other file imports, or that tests alone import and its own file
 * does not use.
 */
export function deadExports(files: readonly SourceFile[]): string[] {
  const product = files.filter(({ path }) => !isTest(path));
  const importedBy = (some: readonly SourceFile[]) => {
    const names = new Set(some.flatMap(namesImported));
    return ({ path }: SourceFile, name: string) => names.has(`${path} ${name}`) || names.has(`${path} *`);
  };
  const byProduct = importedBy(product);
  const byTests = importedBy(files.filter(({ path }) => isTest(path)));
  return product
    .filter(({ path }) => !madeByTests.test(path))
    .flatMap((file) =>
      exportsOf(file)
        .filter((name) => !byProduct(file, name) && !(byTests(file, name) && isUsedInside(file, name)))
        .map((name) => `${file.path} exports ${name}, which nothing of the product imports`),
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
