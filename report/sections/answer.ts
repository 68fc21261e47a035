import { compareRuns } from '../../analysis/compare/compare.js';
import { comparedSentence } from '../../analysis/report/comparison.js';
import { headline, serverName, triedTrial } from '../../analysis/report/headline.js';
import { networkSentences } from '../../analysis/report/network-section.js';
import { nextSteps } from '../../analysis/report/next-steps.js';
import { patternSentences } from '../../analysis/report/pattern-sentences.js';
import { repeatSentence } from '../../analysis/report/repeats-section.js';
import { ranOutSentences } from '../../analysis/report/server-sentences.js';
import { failedEntries, shortSummary, trustPoints } from '../../analysis/report/short-text.js';
import { becauseText, failedSizes, sizesTold } from '../../analysis/report/shown-sizes.js';
import { foremostTrust, trustSentences } from '../../analysis/report/trust-section.js';
import { isOpen } from '../../analysis/search/result.js';
import { searchCost, trialsTookMs } from '../../analysis/search/search-cost.js';
import { durationText } from '../../analysis/wording/quantity.js';
import { capital, numberNear, plural, shellLine } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { namesNoLimit } from '../../model/run.js';
import type { VerdictKind } from '../../model/verdict.js';
import { html, type Markup, nothing, slug } from '../html.js';

/** The run of the same plan before this one; `href` leads from this report to its own, if that is there. */
export interface RunBefore {
  readonly run: FinishedRun;
  readonly href?: string;
}

export function answerSection(run: FinishedRun, before: RunBefore | undefined): Markup {
  const { manifest, records } = run;
  const { probeMinutes: cost, plainProbeMinutes: plain } = searchCost(run);
  const alone = plain === undefined ? '' : ` (about ${numberNear(plain)} by doubling and halving alone)`;
  const took = records.length > 0 ? durationText(trialsTookMs(records)) : 'no time';
  return html`<header class="answer ${colourOf(run)}"><p class="kicker">${manifest.plan.scenario} on ${serverName(run)}
<time datetime="${manifest.startedAt}">${dayAndTime(manifest.startedAt)}</time></p>
<h1>${headline(run)}</h1>
${[repeatSentence(run), becauseText(run)].filter((text) => text !== '').map((text) => html`<p class="lead">${text}</p>`)}
${failedEntries(run).map(({ label, sentences: texts }) => html`<p><b>${label}</b> ${texts.join(' ')}</p>`)}
${nextSteps(run).map(({ text, command }) => html`<p>${text}${command === undefined ? nothing : html` <code>${command}</code>`}</p>`)}
${before === undefined ? nothing : html`<p>${beforeText(before, run)}</p>`}
<dl class="facts">${[
    ['trials', String(records.length)],
    ['took', took],
    ...(cost === undefined ? [] : [['cost', `${numberNear(cost)} probe-minutes${alone}`]]),
    ['measured', `${manifest.plan.timing.measureMs / 1000} s each`],
    ['cores', String(manifest.host.cores)],
    ['chromium', manifest.chromium.version],
    ['loadline', manifest.loadline],
  ].map(([name = '', value = '']) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<div class="copies">${copied('the answer as text', shortSummary(run).trim())}${copied('the command to repeat it', shellLine(manifest.command))}</div></header>`;
}

/** What the run before came to, as `loadline compare` says it. */
function beforeText({ run: earlier, href }: RunBefore, run: FinishedRun): Markup {
  const at = dayAndTime(earlier.manifest.startedAt);
  const name = html`the run before, ${at}`;
  const called = [
    { ...earlier, runDirectory: 'the run before' },
    { ...run, runDirectory: 'this run' },
  ];
  return html`<b>Compared with ${href === undefined ? name : html`<a href="${href}">${name}</a>`}</b> ${comparedSentence(compareRuns(called))}`;
}

const dayAndTime = (startedAt: string) => `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;

/** Text to take along, for which the page's script has a button that copies it. */
function copied(what: string, text: string): Markup {
  return html`<details data-copies="${what}"><summary>${capital(what)}</summary><pre tabindex="0">${text}</pre></details>`;
}

/** As a verdict has it: only an answer that is one looks like a pass. */
function colourOf(run: FinishedRun): VerdictKind {
  const { outcome, cutShort } = run.answer;
  const tried = triedTrial(run);
  if (tried) return tried.verdict.kind;
  if (outcome === 'baseline-unstable' || outcome === 'server-lost') return 'unstable';
  return namesNoLimit(outcome) || cutShort || isOpen(run) ? 'void' : 'stable';
}

/** How far to trust the answer, with what could not be read of the run. */
export function trustPanel(run: FinishedRun, warnings: readonly string[]): Markup {
  const foremost = foremostTrust(run, trustPoints);
  const rest = trustSentences(run).filter((text) => !foremost.includes(text));
  const points = (texts: readonly string[]) =>
    html`<ul>${texts.map((text) => html`<li${text.startsWith('Warning') ? html` class="warning"` : nothing}>${text}</li>`)}</ul>`;
  return html`<section aria-labelledby="h-trust" class="trust"><h2 id="h-trust">How far to trust this</h2>
${points([...warnings.map((text) => `Warning: ${text}`), ...foremost])}
${rest.length === 0 ? nothing : html`<details><summary>${plural(rest.length, 'more remark')}</summary>${points(rest)}</details>`}</section>`;
}

export function ranOutPanel(run: FinishedRun): Markup {
  const ranOut = ranOutSentences(run, failedSizes(run));
  const patterns = patternSentences(run);
  const links = networkSentences(run, sizesTold(run));
  const parts = {
    'What ran out': ranOut,
    'Who failed together': patterns,
    'The network, and what came on top of it': links,
  };
  return html`${Object.entries(parts).map(([title, texts]) => sentences(title, texts))}`;
}

function sentences(title: string, texts: readonly string[]): Markup {
  const id = `h-${slug(title)}`;
  if (texts.length === 0) return nothing;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul></section>`;
}
