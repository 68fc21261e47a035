/**
 * Whether JSON is nested deeper than `most`, without parsing it. `JSON.parse` takes any depth, and whatever then walks
 * the value (`JSON.stringify` first of all) ends in a stack overflow: some megabytes of brackets would end a process.
 */
export function isNestedDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > most) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}

/** The value of a text; `undefined`, which JSON has not and no schema takes, for one that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
