import { resolve } from 'node:path';
import type { Command } from 'commander';
import { studyCsv, studyMarkdown, studyText } from '../../analysis/report/study-text.js';
import { studyAnswer } from '../../analysis/study/study-answer.js';
import { studyResultJsonSchema } from '../../model/study-result-schema.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { trustFlags, trustOf } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import { word } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { readStudy, runsOfStudy } from '../study/study-folder.js';
import { writeStudyPage } from '../study/study-page.js';

const formats = ['text', 'html', 'markdown', 'csv', 'json'] as const;

const reportFlags = {
  ...trustFlags,
  format: { takes: 'format', about: formats.join(', '), value: word(formats), usual: 'text' },
  schema: { about: 'print the JSON schema of --format json and end' },
} as const satisfies Flags;

type ReportWords = WordsOf<typeof reportFlags>;

const help = `
Examples:
  loadline study report runs/2026-11-21T14-03-12-study
  loadline study report runs/2026-11-21T14-03-12-study --format csv > limits.csv`;

export function addStudyReport(study: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = study
    .command('report')
    .summary('the answer of a study, also of one that is not finished')
    .description('Says what a study has found so far: text, Markdown, CSV, JSON, or a page in its folder.')
    .argument('[folder]', 'the folder of a study');
  addFlags(command, reportFlags)
    .addHelpText('after', help)
    .action(async (folder: string | undefined, _: unknown, own: Command) => {
      // `study` has a --format, too, and takes the one that stands behind `report`.
      const words = { ...own.opts<ReportWords>(), ...fromParent(own) };
      const { format, schema } = readFlags(reportFlags, words);
      if (schema) return tool.stdout.write(`${JSON.stringify(studyResultJsonSchema(), null, 2)}\n`);
      if (folder === undefined)
        throw usageError(
          'No study was named.',
          ['study report'],
          'name the folder of one: loadline study report FOLDER',
        );
      const place = resolve(tool.workingFolder, folder);
      const answer = await answerOf(place, trustOf(words), tool);
      const texts = {
        html: async () => `${await writeStudyPage(place, answer, tool)}\n`,
        text: () => studyText(answer, tool.stdout.columns),
        markdown: () => studyMarkdown(answer),
        csv: () => studyCsv(answer),
        json: () => `${JSON.stringify(answer, null, 2)}\n`,
      };
      tool.stdout.write(await texts[format]());
      onExitCode(0);
    });
}

function fromParent({ parent }: Command): Partial<ReportWords> {
  return parent?.getOptionValueSource('format') === 'cli' ? { format: String(parent.getOptionValue('format')) } : {};
}

async function answerOf(folder: string, trust: ReturnType<typeof trustOf>, { stderr }: ToolProcess) {
  const study = await readStudy(folder, trust);
  const { played, failed, left } = await runsOfStudy(folder, study, trust);
  for (const one of left) stderr.write(`warning: left out: ${one}\n`);
  return studyAnswer(study, played, failed);
}
