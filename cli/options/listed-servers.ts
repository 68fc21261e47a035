import { resolve } from 'node:path';
import { Option } from 'commander';
import { z } from 'zod';
import { exampleOf, type ServerKind } from '../../server-setup/server-kind.js';
import { readMappingFile } from '../plan-file/read-mapping-file.js';
import type { ToolProcess } from '../process.js';
import type { ListedServer, ServerWords } from './cluster-flags.js';
import { optionsOf } from './server.js';
import { usageError } from './usage-error.js';

const own = {
  server: z.string(),
  name: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u, { error: 'must be a short name' })
    .optional(),
  weight: z.number().positive().optional(),
  hostType: z.string().min(1).optional(),
  run: z.string().min(1).optional(),
};

/** The flags, with what the file of `--servers` says. Throws E_PLAN with every problem of the file. */
export async function withListedServers<Flags extends ServerWords>(
  flags: Flags,
  tool: ToolProcess,
  kinds: readonly ServerKind[],
): Promise<Flags> {
  if (flags.servers === undefined) return flags;
  const path = resolve(tool.workingFolder, flags.servers);
  const schema = z.strictObject({ servers: z.array(z.strictObject({ ...own, ...flagShapes(kinds) })).min(1) });
  const noMapping = 'a file of servers is a list below "servers:"';
  const todo = `write for example "servers:" and below it "- server: ${exampleOf(kinds).url}", a line for each`;
  const { servers } = await readMappingFile({ path, what: 'servers', schema, noMapping, todo });
  if (servers.length < 2) throw usageError('A file of servers names two or more.', [flags.servers], todo);
  const listed = servers.map((entry): ListedServer => {
    const { name, weight, hostType, run, ...words } = entry;
    return { name, weight, hostType, run, flags: words };
  });
  return { ...flags, listed };
}

/** Every flag of the kinds is a key of each server, under its own name. */
function flagShapes(kinds: readonly ServerKind[]): Record<string, z.ZodOptional<z.ZodType>> {
  const flags = optionsOf(kinds).flatMap((option) => option.flags);
  const word = z.union([z.string(), z.number(), z.boolean()]);
  return Object.fromEntries(
    flags.map(({ flag, shape }) => [new Option(flag).attributeName(), (shape ?? word).optional()] as const),
  );
}
