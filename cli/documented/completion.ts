import { everyCommand, type ToldCommand, type ToldFlag } from './command-tree.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A script that makes the shell offer commands, flags and the words behind them. */
export function completionScript(shell: Shell, tree: ToldCommand): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](tree);
}

/** Below which command a line is, word by word: whatever is no command of the one before says nothing of it. */
const steps = (tree: ToldCommand) =>
  everyCommand(tree)
    .slice(1)
    .map(({ path }) => path);

/** Flags that take a value, together with all others that take one of the same words. */
function valueGroups(tree: ToldCommand): readonly { readonly words: string; readonly where: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { path, flags } of everyCommand(tree)) {
    for (const { long, takesValue, values } of flags) {
      if (!takesValue) continue;
      const words = values.join(' ');
      groups.set(words, [...(groups.get(words) ?? []), `${path} ${long}`]);
    }
  }
  return [...groups].map(([words, where]) => ({ words, where }));
}

/** What may stand where no flag stands: commands below, or what the first argument may be. */
const wordsOf = ({ below, words }: ToldCommand) => [...below.map(lastWord), ...words];
const lastWord = ({ path }: ToldCommand) => path.split(' ').at(-1) ?? '';
const quoted = (text: string) => `"${text}"`;
/** In single quotes, in which a shell reads nothing but the end of them. */
const literal = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same in bash and zsh: what the flag before takes ends it, and what the command has is kept. */
const cases = (groups: readonly string[], commands: readonly string[]) => `  case "$at $before" in
${groups.join('\n')}
  esac
  case "$at" in
${commands.join('\n')}
  esac`;

function bashScript(tree: ToldCommand): string {
  const groups = valueGroups(tree).map(({ words, where }) => {
    const offer = words === '' ? 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$word"))' : bashWords(words);
    return `    ${where.map(quoted).join('|')}) ${offer}; return ;;`;
  });
  const commands = everyCommand(tree).map(
    (one) =>
      `    ${quoted(one.path)}) flags=${literal(one.flags.map(({ long }) => long).join(' '))}; words=${literal(wordsOf(one).join(' '))} ;;`,
  );
  return `# loadline completion bash > /etc/bash_completion.d/loadline, or: source <(loadline completion bash)
_loadline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at=loadline flags="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${steps(tree).map(quoted).join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
${cases(groups, commands)}
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  else
    compopt -o filenames
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ $at == loadline ]] || COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -F _loadline loadline
`;
}

const bashWords = (words: string) => `COMPREPLY=($(compgen -W ${literal(words)} -- "$word"))`;

function zshScript(tree: ToldCommand): string {
  const groups = valueGroups(tree).map(({ words, where }) => {
    const offer = words === '' ? '_files' : `compadd -- ${words}`;
    return `    (${where.map(quoted).join('|')}) ${offer}; return ;;`;
  });
  const described = (long: string, about: string) => literal(`${long.replaceAll(':', '\\:')}:${about}`);
  const commands = everyCommand(tree).map((one) => {
    const flags = one.flags.map(({ long, about }) => described(long, about)).join(' ');
    const below = one.below.map((command) => described(lastWord(command), command.summary)).join(' ');
    return `    ${quoted(one.path)}) flags=(${flags}); words_here=(${[below, ...one.words.map(literal)].join(' ').trim()}) ;;`;
  });
  return `#compdef loadline
# loadline completion zsh > a folder of $fpath, as _loadline
_loadline() {
  local at=loadline before="\${words[CURRENT-1]}" word
  local -a flags words_here
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${steps(tree).map(quoted).join('|')}) at="$at $word" ;;
    esac
  done
${cases(groups, commands)}
  if [[ $PREFIX == -* ]]; then
    _describe -o flag flags
  else
    _describe word words_here
    [[ $at == loadline ]] || _files
  fi
}
if [[ $funcstack[1] == _loadline ]]; then _loadline; else compdef _loadline loadline; fi
`;
}

function fishScript(tree: ToldCommand): string {
  const at = (path: string) => `-n ${literal(`__loadline_at "${path}"`)}`;
  const lines = everyCommand(tree).flatMap((one) => [
    ...one.below.map(
      (command) =>
        `complete -c loadline ${at(one.path)} -f -a ${literal(lastWord(command))} -d ${literal(command.summary)}`,
    ),
    ...(one.words.length === 0 ? [] : [`complete -c loadline ${at(one.path)} -a ${literal(one.words.join(' '))}`]),
    ...one.flags.map((flag) => `complete -c loadline ${at(one.path)} ${fishFlag(flag)}`),
  ]);
  return `# loadline completion fish > ~/.config/fish/completions/loadline.fish
function __loadline_at
  set -l at loadline
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${steps(tree).map(literal).join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function fishFlag({ long, about, takesValue, values }: ToldFlag): string {
  const offer = values.length === 0 ? ' -r' : ` -x -a ${literal(values.join(' '))}`;
  return `-l ${long.replace(/^--/, '')}${takesValue ? offer : ''} -d ${literal(about)}`;
}
