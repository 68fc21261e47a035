import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { saidBy } from '../host/child-processes.js';
import { jsonIn } from '../model/json-text.js';
import type { ToolProcess } from './process.js';

const answerSchema = z.object({ found: z.boolean(), why: z.string().optional(), todo: z.string().optional() });
const mostSaid = 100_000;
type SetUpAnswer = z.infer<typeof answerSchema>;

/** Runs one of set-up's own files, which lie beside the build, to bring what is missing; its progress is on stderr. */
export function setUpPart(
  tool: ToolProcess,
  name: 'chromium.mjs' | 'programs.mjs',
  ...args: readonly string[]
): Promise<SetUpAnswer> {
  const file = fileURLToPath(new URL(`../set-up/${name}`, import.meta.url));
  if (!existsSync(file)) return Promise.resolve({ found: false });
  return new Promise((resolve) => {
    const child = spawn(tool.selfCommand[0] ?? 'node', [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = saidBy(child.stdout, mostSaid);
    child.on('error', () => resolve({ found: false }));
    child.on('close', () => resolve(answerSchema.safeParse(jsonIn(said())).data ?? { found: false }));
  });
}
