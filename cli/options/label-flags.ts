import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { Manifest } from '../../model/run.js';

/** What a user calls a run, as words: one from a plan file, several from either. */
export interface LabelFlags {
  readonly tag?: string | readonly string[];
  readonly hostType?: string;
}

/** What a run is called, which changes nothing of what it does. */
export type RunLabels = Pick<Manifest, 'tags' | 'hostType'>;

const labelForm = /^[\p{L}\p{N}][\p{L}\p{N}._+@/:-]{0,79}$/u;

export function addLabelFlags(command: Command): Command {
  return command
    .option('--tag <name>', 'what this run is called, to compare with later ones: v2.3; may be repeated', collected)
    .option('--host-type <name>', 'what the kind of host of the media server is called: c5.2xlarge');
}

/** Throws E_USAGE. */
export function readLabelFlags({ tag, hostType }: LabelFlags): RunLabels {
  const tags = [...new Set(tag === undefined ? [] : typeof tag === 'string' ? [tag] : tag)];
  for (const name of tags) assertLabel(name, '--tag');
  if (hostType !== undefined) assertLabel(hostType, '--host-type');
  return { ...(tags.length > 0 ? { tags } : {}), ...(hostType === undefined ? {} : { hostType }) };
}

function assertLabel(text: string, flag: string): void {
  if (labelForm.test(text)) return;
  throw new LoadlineError('E_USAGE', `${flag} must be a name without blanks, not "${text}".`, {
    where: flag,
    todo: `write for example ${flag} ${flag === '--tag' ? 'v2.3' : 'c5.2xlarge'}`,
  });
}

function collected(value: string, earlier: string | readonly string[] = []): readonly string[] {
  return [...(typeof earlier === 'string' ? [earlier] : earlier), value];
}
