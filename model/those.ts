/** Those that are there: `condition && one` stands for one that is left out where the condition does not hold. */
export function those<One extends string | object>(...them: readonly (One | false | null | undefined)[]): One[] {
  return them.filter((one): one is One => one !== false && one !== null && one !== undefined);
}
