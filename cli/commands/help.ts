import type { Command } from 'commander';
import { meantOrKnown } from '../../analysis/judge/thresholds/nearest-word.js';
import type { EnvironmentVariable } from '../../model/environment.js';
import { LoadlineError } from '../../model/errors.js';
import { scenarios } from '../../scenarios/index.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { sinkKinds } from '../../store/sinks.js';
import { commandTree, type ToldCommand } from '../documented/command-tree.js';
import { completionScript, shells } from '../documented/completion.js';
import { environmentVariables } from '../documented/environment.js';
import { manPage } from '../documented/man-page.js';
import { networksTopic, serversTopic, thresholdsTopic } from '../documented/topics.js';
import { exitCodeLines, exitCodes } from '../exit-codes.js';
import { foldedHelp } from '../help-text.js';
import { scenarioLines } from '../options/run-flags.js';
import { readWord } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { loadlineVersion, versionAndBuild } from '../version.js';

/** What there is help about beside commands. */
const topics = ['exit-codes', 'environment', 'scenarios', 'thresholds', 'networks', 'servers'] as const;

const example = `
Also: ${topics.map((topic) => `loadline help ${topic}`).join(', ')}

Examples:
  loadline help find --all
  loadline help thresholds
  loadline help monitor report
  loadline help environment`;

const completionHelp = `
Examples:
  source <(loadline completion bash)
  loadline completion zsh > "\${fpath[1]}/_loadline"
  loadline completion fish > ~/.config/fish/completions/loadline.fish`;

const manHelp = `
Examples:
  loadline man > loadline.1 && man ./loadline.1`;

/** `help`, `completion` and `man`: what the command line says of itself. */
export function addHelp(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  program
    .command('help')
    .summary('the help of a command; scenarios, thresholds, networks, servers')
    .description('Shows the help of a command, or what there is of something.')
    .argument('[command...]', `a command, or ${topics.join(', ')}`)
    .option('--all', 'every flag of the command, and what cannot be had together')
    .addHelpText('after', example)
    .action((words: readonly string[]) => {
      showHelp(program, words, tool, kinds);
      onExitCode(0);
    });
  program
    .command('version', { hidden: true })
    .description('Prints the version, as --version does.')
    .action(() => {
      tool.stdout.write(`${versionAndBuild()}\n`);
      onExitCode(0);
    });
  program
    .command('completion')
    .summary('print what makes a shell complete the command line')
    .description('Prints a script that makes a shell offer commands, flags, and the words behind them.')
    .argument('<shell>', shells.join(', '))
    .addHelpText('after', completionHelp)
    .action((shell: string) => {
      const script = completionScript(readWord(shell, 'loadline completion', shells), treeOf(program));
      tool.stdout.write(script);
      onExitCode(0);
    });
  program
    .command('man')
    .summary('print the manual page')
    .description('Prints the manual page, made of what --help prints.')
    .addHelpText('after', manHelp)
    .action(() => {
      const environment = environmentVariables(kinds, sinkKinds);
      tool.stdout.write(manPage({ tree: treeOf(program), version: loadlineVersion(), environment, exitCodes }));
      onExitCode(0);
    });
}

const treeOf = (program: Command): ToldCommand =>
  commandTree(program, { scenario: scenarios.map(({ name }) => name), shell: shells });

function showHelp(program: Command, words: readonly string[], tool: ToolProcess, kinds: Kinds): void {
  const [topic] = words;
  const texts: Readonly<Record<string, () => string>> = {
    'exit-codes': () => `${exitCodeLines('other')}\n`,
    environment: () => environmentTable(environmentVariables(kinds, sinkKinds)),
    scenarios: () => `${scenarioLines()}\n`,
    thresholds: thresholdsTopic,
    networks: networksTopic,
    servers: () => serversTopic(kinds),
  } satisfies Record<(typeof topics)[number], () => string>;
  const text = topic === undefined ? undefined : texts[topic];
  if (text) tool.stdout.write(foldedHelp(text(), Math.min(tool.stdout.columns, 100)));
  else commandAt(program, words).outputHelp();
}

function environmentTable(variables: readonly EnvironmentVariable[]): string {
  const columns = Math.max(...variables.map(({ name }) => name.length));
  return variables.map(({ name, about }) => `  ${name.padEnd(columns)}  ${about}\n`).join('');
}

/** Throws E_USAGE. */
function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce((above: Command, word) => {
    const found = above.commands.find((one) => one.name() === word);
    if (found) return found;
    const known = above
      .createHelp()
      .visibleCommands(above)
      .map((one) => one.name());
    throw new LoadlineError('E_USAGE', `There is no command "${[...words].join(' ')}".`, {
      where: 'loadline help',
      why:
        known.length === 0 ? `${above.name()} has no commands of its own` : meantOrKnown(word, [...known, ...topics]),
      todo: 'loadline help lists all commands',
    });
  }, program);
}
