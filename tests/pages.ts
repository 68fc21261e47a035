import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Page {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where pages for people stand. */
const folders = [
  '',
  'docs/',
  'docs/guide/',
  'docs/reference/',
  'docs/lab/',
  'docs/study/',
  'docker/',
  'recipes/',
  'examples/',
];

export function pages(): readonly Page[] {
  return folders.flatMap((folder) =>
    readdirSync(resolve(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ path: `${folder}${name}`, text: readFileSync(resolve(root, folder, name), 'utf8') })),
  );
}

/** Blocks of code; of one that names its language, too: else its end is read as the beginning of one. */
export const fenced = /^```.*\n([\s\S]*?)^```$/gm;

/** What a page shows as code: blocks line by line, and spans. */
export function codeOf({ text }: Pick<Page, 'text'>): readonly string[] {
  const prose = text.replace(fenced, '');
  const blocks = [...text.matchAll(fenced)].map(([, block = '']) => block);
  const indented = [...prose.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks.flatMap((block) => block.replace(/\\\n/g, ' ').split('\n')), ...indented, ...spans];
}

interface Link {
  /** Relative to the page that has it; empty for a place in that page. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Links to files of the repository; those to other places need a network, and are nobody's to test. */
export function linksOf({ text }: Pick<Page, 'text'>): readonly Link[] {
  return [...text.replace(fenced, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path, anchor };
    });
}

/** What GitHub calls the headings of a page, in links to them. */
export function anchorsOf({ text }: Pick<Page, 'text'>): readonly string[] {
  return [...text.replace(fenced, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

interface CommandLine {
  /** `find`, `monitor`; the words behind it are not looked at. */
  readonly command: string;
  readonly flags: readonly string[];
}

/**
 * The command lines of the tool that a text shows. What is in quotes, and what comes after a pipe, is not the tool's.
 */
export function commandLinesOf(code: string): readonly CommandLine[] {
  const bare = code.replace(/"[^"]*"|'[^']*'/g, '""');
  return [...bare.matchAll(/(?:^|[\s(])(?:\.\/)?loadline ([a-z-]+)(?=\s|$)([^|&;>]*)/g)].map(
    ([, command = '', rest = '']) => ({
      command,
      flags: [...rest.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => flag),
    }),
  );
}

/**
 * The command lines of `find`, `try` and `simulate` that a text shows with nothing left out: no dots, no words in
 * capitals that stand for the reader's own, no stored run to go on with, and no plan file that is not in the
 * repository.
 */
export function wholeRunsOf(code: string): readonly string[] {
  const [, line = ''] = /^(?:sudo )?(?:\.\/)?(loadline (?:find|try|simulate) .*)$/.exec(code) ?? [];
  const command = line.replace(/ (?:[>|#]| {2}).*$/, '').trim();
  const words = wordsIn(command);
  const isWhole =
    command !== '' && !/…|\.\.\.|--resume|[A-Z]{3}/.test(command) && !words.some((word) => /^[A-Z]+$/.test(word));
  const plan = words.find((word) => /\.ya?ml$/.test(word));
  return isWhole && (plan === undefined || existsSync(resolve(root, plan))) ? [command] : [];
}

/** The words behind `loadline`, as a shell would split them; quotes hold words together. */
export function wordsIn(command: string): readonly string[] {
  const words = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
  return words.slice(1);
}
