import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { Manifest } from '../../model/run.js';

/** What a user calls a run, as words: one from a plan file, several from either. */
export interface LabelFlags {
  readonly tag?: string | readonly string[];
  readonly label?: string | readonly string[];
  readonly hostType?: string;
}

/** What a run is called, which changes nothing of what it does. */
export type RunLabels = Pick<Manifest, 'tags' | 'labels' | 'hostType'>;

/** The most that a run has: each is a column wherever its points go. */
const mostLabels = 20;
const pairForm = /^([a-z][a-z0-9_]{0,39})=(.+)$/;
const labelForm = /^[\p{L}\p{N}][\p{L}\p{N}._+@/:-]{0,79}$/u;

export function addLabelFlags(command: Command): Command {
  return command
    .option('--tag <name>', 'what this run is called, to compare with later ones: v2.3; may be repeated', collected)
    .option('--label <key=value>', 'what else is known of this run: region=eu; may be repeated', collected)
    .option('--host-type <name>', 'what the kind of host of the media server is called: c5.2xlarge');
}

/** Throws E_USAGE. */
export function readLabelFlags({ tag, label, hostType }: LabelFlags): RunLabels {
  const tags = [...new Set(listed(tag))];
  const labels = readPairs(listed(label));
  for (const name of tags) assertLabel(name, '--tag');
  if (hostType !== undefined) assertLabel(hostType, '--host-type');
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(labels === undefined ? {} : { labels }),
    ...(hostType === undefined ? {} : { hostType }),
  };
}

const listed = (words: string | readonly string[] = []) => (typeof words === 'string' ? [words] : words);

/** Each key once: of two values, neither is the one that was meant. */
function readPairs(words: readonly string[]): RunLabels['labels'] {
  if (words.length === 0) return undefined;
  const pairs = words.map((word) => {
    const [, key = '', value = ''] = pairForm.exec(word) ?? [];
    if (key === '') throw wrongLabel(`--label must be KEY=VALUE, the key in small letters, not "${word}".`);
    assertLabel(value, '--label');
    return [key, value] as const;
  });
  const twice = pairs.find(([key], nth) => pairs.findIndex(([other]) => other === key) !== nth);
  if (twice) throw wrongLabel(`--label gives "${twice[0]}" more than one value.`);
  if (pairs.length > mostLabels)
    throw wrongLabel(`--label was given ${pairs.length} times; ${mostLabels} are the most.`);
  return Object.fromEntries(pairs);
}

function wrongLabel(text: string): LoadlineError {
  return new LoadlineError('E_USAGE', text, { where: '--label', todo: 'write for example --label region=eu' });
}

const examples = { '--tag': 'v2.3', '--label': 'region=eu', '--host-type': 'c5.2xlarge' } as const;

function assertLabel(text: string, flag: keyof typeof examples): void {
  if (labelForm.test(text)) return;
  throw new LoadlineError('E_USAGE', `${flag} must be a name without blanks, not "${text}".`, {
    where: flag,
    todo: `write for example ${flag} ${examples[flag]}`,
  });
}

function collected(value: string, earlier: string | readonly string[] = []): readonly string[] {
  return [...listed(earlier), value];
}
