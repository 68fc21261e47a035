import { type AppValue, appValueName, mostAppValues } from '../../model/app-value.js';

/** For a join script, to tell of the app. Both throw a TypeError for a name or a value that cannot be kept. */
export interface AppWords {
  /** Notes how long after its begin to join the participant has come to a point of the app. */
  readonly mark: (name: string) => void;
  /** Notes a value that the script or the app has measured, in a unit of its own. */
  readonly metric: (name: string, value: number) => void;
}

/** Marks count from this call. `excess` is called once, when more is told than is kept. */
export function appWords(tell: (value: AppValue) => void, excess: (most: number) => void): AppWords {
  const beganMs = performance.now();
  let told = 0;
  const note = (of: AppValue['of'], name: unknown, value: unknown): void => {
    if (typeof name !== 'string' || !appValueName.test(name))
      throw new TypeError(`${of}(${JSON.stringify(name)}): a name is letters and digits, at most 40: "chatLatency"`);
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new TypeError(`${of}("${name}", ${String(value)}): the value must be a number`);
    told += 1;
    if (told <= mostAppValues) tell({ of, name, value });
    else if (told === mostAppValues + 1) excess(mostAppValues);
  };
  return {
    mark: (name) => note('mark', name, performance.now() - beganMs),
    metric: (name, value) => note('metric', name, value),
  };
}

/** They check what they are given, and keep nothing. */
export const unheardWords = (): AppWords =>
  appWords(
    () => undefined,
    () => undefined,
  );
