import { join } from 'node:path';
import { z } from 'zod';
import {
  type Evidence,
  type ProbeHostReading,
  type ScrapedReading,
  type ServerReading,
  type TurnReading,
  withoutEmpty,
} from '../../model/evidence.js';
import { plainJson } from '../../model/plain-text.js';
import { visitCompressedLines } from './json-lines.js';
import { evidenceFile } from './layout.js';
import { checked } from './read-sealed.js';
import { Kept, tooMuch } from './run-bounds.js';
import { assertSealed, isNotJson, type Torn, type TrialFiles } from './trial-files.js';

/** Line by line: what the file unpacks to is never in memory as a whole, and what is kept of it has a bound. */
export async function readEvidence({ directory, index, seal, bounds }: TrialFiles): Promise<Torn<Evidence>> {
  const file = evidenceFile(index);
  const path = join(directory, file);
  const kept = new Kept(path, bounds.kept);
  const found = { probeHost: [], server: [], turn: [], scraped: [] } as FoundReadings;
  let wrong: { readonly error: unknown } | undefined;
  let damagedLine: number | undefined;
  const hosts = new Set<string | undefined>();
  const take = (lines: readonly string[], first: number) => {
    for (const [nth, line] of lines.entries()) {
      if (wrong || damagedLine !== undefined) return;
      kept.add(line);
      if (hosts.size > bounds.hosts) throw tooMuch(path, `it is of more than ${bounds.hosts} probe hosts`);
      try {
        checked(`${file}:${first + nth}`, () => takeReading(found, line));
        hosts.add(found.probeHost.at(-1)?.host);
      } catch (error) {
        if (isNotJson(error)) damagedLine = first + nth;
        else wrong = { error };
      }
    }
  };
  const { tear, digest } = await visitCompressedLines(path, take, { bounds: bounds.evidence });
  assertSealed(file, digest, seal?.evidence);
  if (wrong) throw wrong.error;
  const value = withoutEmpty(found);
  if (damagedLine !== undefined) return { value, warning: `${file} is damaged in line ${damagedLine}.` };
  return tear === undefined ? { value } : { value, warning: `${file} ${tear}.` };
}

interface FoundReadings {
  readonly probeHost: ProbeHostReading[];
  readonly server: ServerReading[];
  readonly turn: TurnReading[];
  readonly scraped: ScrapedReading[];
}

const readingShape = z.looseObject({ of: z.enum(['probe-host', 'server', 'turn', 'scraped']), atMs: z.number() });

function takeReading(found: FoundReadings, line: string): void {
  const { of, ...reading } = readingShape.parse(JSON.parse(plainJson(line)));
  if (of === 'probe-host') found.probeHost.push(reading as unknown as ProbeHostReading);
  else if (of === 'turn') found.turn.push(reading as unknown as TurnReading);
  else if (of === 'scraped') found.scraped.push(reading as unknown as ScrapedReading);
  else found.server.push(reading as unknown as ServerReading);
}
