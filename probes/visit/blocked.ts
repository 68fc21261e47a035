/** What matches any address with one of these in it, where `*` stands for anything. */
export function blocked(patterns: readonly string[]): RegExp {
  const one = (pattern: string): string =>
    pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
  return new RegExp(patterns.map(one).join('|'));
}
