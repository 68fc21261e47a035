import { expect, test } from '@playwright/test';
import type { Ended } from './run-loadline.js';

/** A test for each: these words are refused with that sentence, and with what to do. */
export function testRefusals(
  run: (...args: readonly string[]) => Promise<Ended>,
  refused: readonly (readonly [args: readonly string[], sentence: string])[],
): void {
  for (const [args, sentence] of refused) {
    test(`${args.join(' ')}: refused, with what to do`, async () => {
      const { exitCode, stderr } = await run(...args);
      expect(exitCode).toBe(2);
      expect(stderr.replace(/\s+/g, ' ')).toContain(sentence);
      expect(stderr).toMatch(/^ +do +\S/m);
    });
  }
}
