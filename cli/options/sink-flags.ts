import type { AskedSink, SinkKind } from '../../store/sink-kind.js';
import { sinkKinds } from '../../store/sinks.js';
import { type Flag, type Flags, listed, typed } from './flag.js';
import { oneOrMore } from './label-flags.js';

const perProbe = {
  metricsPerProbe: {
    about: 'Prometheus, OTLP and the page of metrics get series of each probe, too, and not of groups alone',
    onResume: 'may',
  },
} as const satisfies Flags;

/** The flags of all kinds of sink; each may be repeated. */
export function sinkFlags(summary: 'summary' | 'exportSummary' = 'summary'): Flags {
  const each = sinkKinds.flatMap((kind): [string, Flag][] => {
    const about = kind[summary];
    const inPlans = oneOrMore(kind.mustBe);
    return about === undefined
      ? []
      : [[kind.name, { takes: kind.takes, about, inPlans, repeats: true, onResume: 'may' }]];
  });
  return { ...Object.fromEntries(each), ...perProbe };
}

/** A section of help for each kind. */
export function sinkHelp(kinds: readonly SinkKind[] = sinkKinds): string {
  return kinds.map(({ help }) => help).join('\n\n');
}

/** In the order of the registry. Throws what a kind throws for an address that cannot be read. */
export function readSinks(words: object): readonly AskedSink[] {
  const flags: Readonly<Record<string, unknown>> = { ...words };
  const choices = { perProbe: flags.metricsPerProbe === true };
  return sinkKinds.flatMap((kind) => listed(flags[kind.name]).map((text) => kind.read(text, choices)));
}

/** Those that a stored run can be sent to. */
export const exportKinds: readonly SinkKind[] = sinkKinds.filter(({ exportSummary }) => exportSummary !== undefined);

/** As a person writes it: `--influx URL`. */
export function exampleOf(kind: SinkKind): string {
  return `${typed(kind.name)} ${kind.takes.toUpperCase()}`;
}
