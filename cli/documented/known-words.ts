import { z } from 'zod';
import { scenarios } from '../../scenarios/index.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { networkPresetNames } from '../networks/presets.js';
import { writtenFlags } from '../plan-file/plan-keys.js';
import type { KnownWords } from './command-tree.js';

/** What a shell can offer, from where the words are declared. */
export function knownWords(kinds: readonly ServerKind[], shells: readonly string[]): KnownWords {
  const written = Object.entries(writtenFlags).flatMap(([key, { inPlans }]) =>
    // Which formats there are differs from command to command.
    key !== 'format' && inPlans instanceof z.ZodEnum ? [[key, inPlans.options.map(String)] as const] : [],
  );
  return {
    flags: {
      ...Object.fromEntries(written),
      network: networkPresetNames,
      server: kinds.map(({ name, place }) => (place.by === 'address' ? `${place.schemes[0] ?? name}://` : name)),
    },
    arguments: { scenario: scenarios.map(({ name }) => name), shell: shells },
  };
}
