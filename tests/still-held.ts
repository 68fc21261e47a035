import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Of each, whether somebody still holds it once all that nobody does is collected. */
export function stillHeld(all: readonly WeakRef<object>[]): readonly boolean[] {
  collectGarbage();
  return all.map((one) => one.deref() !== undefined);
}
