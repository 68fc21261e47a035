import type { Command } from 'commander';
import type { AskedSink, SinkKind } from '../../store/sink-kind.js';
import { sinkKinds } from '../../store/sinks.js';

/** What stands behind `--influx` and the flags of all other kinds of sink; each may be repeated. */
export type SinkFlags = Readonly<Record<string, unknown>>;

export const sinkFlagNames: readonly string[] = [...sinkKinds.map(({ name }) => name), 'metricsPerProbe'];

export function addSinkFlags(command: Command, summary: 'summary' | 'exportSummary' = 'summary'): Command {
  for (const kind of sinkKinds) {
    const words = kind[summary];
    if (words !== undefined) command.option(`${flagOf(kind)} <${kind.takes}>`, words, collected);
  }
  return command.option(
    '--metrics-per-probe',
    'Prometheus, OTLP and the page of metrics get series of each probe, too, and not of groups alone',
  );
}

/** A section of help for each kind. */
export function sinkHelp(kinds: readonly SinkKind[] = sinkKinds): string {
  return kinds.map(({ help }) => help).join('\n\n');
}

/** In the order of the registry. Throws what a kind throws for an address that cannot be read. */
export function readSinkFlags(flags: SinkFlags): readonly AskedSink[] {
  const choices = { perProbe: flags.metricsPerProbe === true };
  return sinkKinds.flatMap((kind) => wordsOf(flags[kind.name]).map((text) => kind.read(text, choices)));
}

/** Those that a stored run can be sent to. */
export const exportKinds: readonly SinkKind[] = sinkKinds.filter(({ exportSummary }) => exportSummary !== undefined);

/** As a person writes it: `--influx URL`. */
export function exampleOf(kind: SinkKind): string {
  return `${flagOf(kind)} ${kind.takes.toUpperCase()}`;
}

function flagOf({ name }: SinkKind): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function collected(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** A plan file gives one as a word, several as a list. */
function wordsOf(given: unknown): readonly string[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given.map(String) : [String(given)];
}
