import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ToolProcess } from './process.js';

const answerSchema = z.object({ found: z.boolean(), why: z.string().optional(), todo: z.string().optional() });
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
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('error', () => resolve({ found: false }));
    child.on('close', () => resolve(readAnswer(text)));
  });
}

function readAnswer(text: string): SetUpAnswer {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return { found: false };
  }
}
