import { baselineAfter, baselineFor } from '../analysis/measure/baseline.js';
import { headline } from '../analysis/report/headline.js';
import type { FinishedRun } from '../model/finished-run.js';
import type { Baseline } from '../model/trial.js';
import { spansOf } from './data/span.js';
import { packed, type TrialSource, trialData } from './data/trial-data.js';
import { html, Markup, nothing } from './html.js';
import { inlinedScript, scriptDigest } from './inlined-script.js';
import { answerSection, type RunBefore, ranOutPanel, trustPanel } from './sections/answer.js';
import { arrivalsSection } from './sections/arrivals.js';
import { bySizeSection } from './sections/by-size.js';
import { clusterSection } from './sections/cluster.js';
import { contentsBar } from './sections/contents.js';
import { definitionsSection } from './sections/definitions.js';
import { environmentSection } from './sections/environment.js';
import { hostsSection } from './sections/hosts.js';
import { staircase } from './sections/staircase.js';
import { thresholdsSection } from './sections/thresholds.js';
import { trialsTable } from './sections/trials-table.js';

export interface ReportAssets {
  readonly script: string;
  readonly style: string;
}

export interface ReportInput {
  readonly run: FinishedRun;
  /** What could not be read of the run, each a sentence. */
  readonly warnings: readonly string[];
  readonly source: TrialSource;
  readonly assets: ReportAssets;
  readonly before?: RunBefore;
}

/** A whole report as one HTML file, in parts that follow one another. It asks for nothing from anywhere. */
export async function buildReport(input: ReportInput): Promise<readonly string[]> {
  const { run, source, assets } = input;
  const parts = [head(run, assets).text, body(input).text];
  const spans = spansOf(run.records);
  const firstSize = run.records[0]?.size ?? 0;
  let baseline: Baseline | null = null;
  for (const record of run.records) {
    const span = spans.get(record.index);
    if (!span) continue;
    const judgedBy = baselineFor(baseline, firstSize, record.size);
    const data = await packed(await trialData(run, { record, baseline: judgedBy, span }, source));
    parts.push(`<script type="application/octet-stream" id="trial-data-${record.index}">${data}</script>\n`);
    baseline = baselineAfter(baseline, firstSize, record);
  }
  parts.push(`<script>${inlinedScript(assets.script)}</script>\n</body></html>\n`);
  return parts;
}

function head(run: FinishedRun, { script, style }: ReportAssets): Markup {
  const policy = `default-src 'none'; script-src '${scriptDigest(script)}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${headline(run)} · Loadline</title><style>${new Markup(style.replaceAll('</', '<\\/'))}</style></head>
`;
}

function body({ run, warnings, before }: Omit<ReportInput, 'source' | 'assets'>): Markup {
  const chosen = run.records.findLast(({ verdict }) => verdict.kind === 'unstable') ?? run.records.at(-1);
  // In the order of the terminal's answer: what it is, why, what ran out, limits, trust; then all that it rests on.
  const main = html`${answerSection(run, before)}
<div class="first">${staircase(run)}<div>${ranOutPanel(run)}</div></div>
${thresholdsSection(run)}
${trustPanel(run, warnings)}
${arrivalsSection(run)}
${clusterSection(run)}
${bySizeSection(run)}
${hostsSection(run)}
${trialsTable(run)}
${
  chosen
    ? html`<section id="trial" aria-labelledby="h-trial" data-first="${chosen.index}"><h2 id="h-trial">One trial</h2>
<p class="note" id="trial-note">Curves and probes of single trials need JavaScript and a browser of 2023 or later.</p></section>`
    : nothing
}
${environmentSection(run)}
${definitionsSection(run)}`;
  return html`<body><a class="skip" href="#main">To the report</a>${contentsBar(main)}<main id="main">
${main}
</main>
<footer>Made by Loadline ${run.manifest.loadline} from a stored run. This file loads nothing and sends nothing.</footer>
`;
}
