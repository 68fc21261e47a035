import type { EndedTool, RunningTool, Workshop } from '../system/running-tool.js';

/** A row of the table in docs/lab/reliability.md: what befalls a run, and each of the times that it does. */
export interface FaultRow {
  /** Its records are kept under this, whatever its title becomes. */
  readonly id: string;
  /** Exactly what its cases do, in the words of the table. */
  readonly title: string;
  /** Each is one run that it befalls. Their names are what tells them apart, and empty where there is one only. */
  readonly cases: readonly { readonly name: string }[];
}

/** Befalls a real run, with real Chromium and the embedded server. */
export interface Fault extends FaultRow {
  readonly cases: readonly FaultCase[];
}

export interface FaultCase {
  readonly name: string;
  /** Part of the campaign alone, and of neither suite. */
  readonly long?: true;
  /** Why it cannot be made here; undefined when it can. */
  readonly impossible?: () => string | undefined | Promise<string | undefined>;
  /** The command of the run; a trial of one call where nothing else is said. */
  readonly asks?: readonly string[];
  /** The tool is killed, so that its temporary files wait for the next start. */
  readonly leavesFiles?: true;
  /** What must be there before the run. */
  readonly stage?: (workshop: Workshop) => Promise<Stage>;
  /** Makes it happen. Resolves when it has. */
  inject(tool: RunningTool, workshop: Workshop): Promise<void>;
  /** Checks that the fault stands in the record by its name, and gives what the record says, for the table. */
  said(ended: EndedTool, workshop: Workshop): Promise<string>;
}

export interface Stage {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called once `inject` is done. */
  befall?(): Promise<void>;
  /** Called when all was read. */
  close(): Promise<void>;
}

/** A fault that befalls one run. */
export function once(id: string, title: string, only: Omit<FaultCase, 'name'>): Fault {
  return { id, title, cases: [{ name: '', ...only }] };
}

export const oneCall = ['try', 'one-to-one', '--size', '1', '--measure', '12s', '--settle', '6s'] as const;
export const unrecordedCall = [...oneCall, '--no-record'] as const;

/** The same words with a window of another length. */
export const measuredFor = (window: string, words: readonly string[]): readonly string[] =>
  words.map((word, nth) => (words[nth - 1] === '--measure' ? window : word));
