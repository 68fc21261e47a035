import { importsOf, type SourceFile } from './source-files.js';

/**
 * Files that import each other in a ring, types included: `a.ts → b.ts → a.ts`, each ring once, from its first file by
 * name. Of files that hang together in several rings, one ring is named: when it is gone, the next one is.
 */
export function importCircles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  const targetsOf = new Map(
    files.map((file) => {
      const targets = importsOf(file).map(({ target }) => target);
      return [file.path, targets.filter((target) => known.has(target) && target !== file.path)] as const;
    }),
  );
  const told = new Set<string>();
  return [...known].sort().flatMap((path) => {
    const ring = told.has(path) ? undefined : shortestRing(path, targetsOf);
    for (const member of ring ?? []) told.add(member);
    return ring ? [[...ring, path].join(' → ')] : [];
  });
}

/** The shortest way from a file back to itself, without its last step; `undefined` when there is none. */
function shortestRing(start: string, targetsOf: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const target of targetsOf.get(path) ?? []) {
      if (target === start) return wayTo(path, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      queue.push(target);
    }
  }
  return undefined;
}

/** The way to a file, by the file from which each was reached first. */
function wayTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let path = cameFrom.get(end); path !== undefined; path = cameFrom.get(path)) way.unshift(path);
  return way;
}
