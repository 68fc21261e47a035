import {
  besideTables,
  middleRun,
  type SideTable,
  type StudyCurve,
  settingsMaps,
  studyCurves,
} from '../analysis/report/study-beside.js';
import { notesOf, titleOf } from '../analysis/report/study-text.js';
import {
  cellTexts,
  delayText,
  intervalOf,
  limitInterval,
  limitText,
  rankSentences,
  studyHead,
  studyHeadline,
} from '../analysis/report/study-words.js';
import { figureOf, type OverRounds } from '../analysis/study/rounds.js';
import type { CellAnswer, StudyAnswer, StudyTable } from '../analysis/study/study-answer.js';
import { numberNear } from '../analysis/wording/wording.js';
import { html, type Markup, nothing, type PageAssets, slug, staticPage } from './html.js';
import { axisTo, type Line, type Mark, plot } from './plot.js';
import { setUpSection } from './study-set-up.js';

/** The answer of a study; it lies in the study's folder, beside the runs that it links to. */
export function studyPage(answer: StudyAnswer, assets: PageAssets): string {
  const headline = studyHeadline(answer);
  const main = html`<header class="answer"><h1>${headline}</h1>
<p class="note">Begun ${answer.startedAt.slice(0, 16).replace('T', ' ')} UTC. Every figure leads to the report of the run that it comes from.</p></header>
${answer.tables.map((table) => tableSection(table, answer))}
${settingsMaps(answer).map((map) => sideTable(map, 'h2'))}${studyCurves(answer).map(curveSection)}${setUpSection(answer)}${placeSection(answer)}${repeatSection(answer)}`;
  return staticPage(headline, main, assets);
}

function tableSection(table: StudyTable, answer: StudyAnswer): Markup {
  const id = `h-${slug(table.load)}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${titleOf(table)}</h2>
${rankSentences(table, answer.chance).map((sentence) => html`<p>${sentence}</p>`)}
<div class="columns">${pictures.map((picture) => pictureSection(picture, table))}</div>
${cellTable(table)}${besideTables(table, answer).map((beside) => sideTable(beside, 'h3'))}${roundTable(table, answer)}
<ul>${notesOf(table, answer).map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
}

function link(path: string | undefined, text: string): Markup | string {
  if (path === undefined || text === '') return text;
  const href = `${path.split('/').map(encodeURIComponent).join('/')}/report.html`;
  return html`<a href="${href}">${text}</a>`;
}

function cellTable({ load, cells }: StudyTable): Markup {
  const rows = cells.map((cell) => ({ cell, texts: cellTexts(cell) }));
  const used = studyHead.map((_, column) => column).filter((column) => rows.some(({ texts }) => texts[column] !== ''));
  return html`<div class="scroll" style="margin:1.2rem 0" tabindex="0" role="region" aria-label="Table of ${load}"><table><thead><tr>${used.map((column) => html`<th scope="col">${studyHead[column]}</th>`)}</tr></thead>
<tbody>${rows.map(({ cell, texts }) => html`<tr>${used.map((column) => cellOf(cell, texts, column))}</tr>`)}</tbody></table></div>`;
}

/** Place and server are no figures of a run. */
function cellOf(cell: CellAnswer, texts: readonly string[], column: number): Markup {
  const text = texts[column] ?? '';
  if (column === 1)
    return html`<th scope="row">${text}${cell.product === undefined ? nothing : html` <span class="note">${cell.product}</span>`}</th>`;
  return html`<td>${column === 0 ? text : link(middleRun(cell), text)}</td>`;
}

function roundTable({ load, cells }: StudyTable, { rounds }: StudyAnswer): Markup {
  const numbers = Array.from({ length: rounds }, (_, nth) => nth + 1);
  const found = (cell: CellAnswer, round: number) => {
    const run = cell.runs.find((one) => one.round === round);
    if (!run) return cell.failed.some((one) => one.round === round) ? 'no run' : '–';
    const { stable, atLeast, outcome } = run;
    return link(run.path, String(atLeast === undefined ? (stable ?? outcome) : `≥ ${atLeast}`));
  };
  return html`<h3>Every round</h3><div class="scroll" style="margin-bottom:1.2rem" tabindex="0" role="region" aria-label="Rounds of ${load}"><table><thead><tr><th scope="col">server</th>${numbers.map((round) => html`<th scope="col">${round}</th>`)}</tr></thead>
<tbody>${cells.map((cell) => html`<tr><th scope="row">${cell.server}</th>${numbers.map((round) => html`<td>${found(cell, round)}</td>`)}</tr>`)}</tbody></table></div>`;
}

interface Picture {
  readonly title: string;
  readonly read: (cell: CellAnswer) => OverRounds | undefined;
  readonly figure: (cell: CellAnswer, value: OverRounds) => string;
  readonly interval: (cell: CellAnswer, value: OverRounds) => string;
}

const ofCost = {
  figure: (_: CellAnswer, { middle }: OverRounds) => numberNear(middle),
  interval: (_: CellAnswer, value: OverRounds) => (value.low === value.high ? '' : intervalOf(value)),
};
const ofDelay = { ...ofCost, figure: (cell: CellAnswer) => delayText(cell) ?? '' };
const ofLimit = {
  figure: limitText,
  interval: (cell: CellAnswer, value: OverRounds) =>
    value.low === value.high && !cell.highNotShown ? '' : limitInterval(cell),
};

const pictures: readonly Picture[] = [
  { title: 'What each holds', read: ({ limit }) => limit, ...ofLimit },
  { title: 'CPU of one more session, cores', read: ({ cores }) => cores, ...ofCost },
  { title: 'Delay at the limit, p95, ms', read: ({ delayMs }) => delayMs, ...ofDelay },
];

/** A line a server: its interval as a bar, the middle of its rounds as a stroke. Nothing where none was measured. */
function pictureSection({ title, read, figure, interval }: Picture, { load, cells }: StudyTable): Markup {
  const known = cells.flatMap((cell) => {
    const value = read(cell);
    return value ? [{ cell, value }] : [];
  });
  const top = 1.05 * Math.max(0, ...known.map(({ value }) => Math.max(value.middle, value.high ?? value.low)));
  if (top === 0) return nothing;
  // A cost is below 0 by noise alone; its axis begins at 0.
  const at = (value: number) => Math.round((10_000 * Math.max(0, value)) / top) / 100;
  const rows = known.map(({ cell, value }) => {
    const { low } = value;
    // What has no upper end is drawn to the edge.
    const high = value.high ?? top;
    const width = Math.max(0.6, at(high) - at(low));
    return html`<span>${cell.server}</span><span style="position:relative;background:var(--grid);height:1rem;display:block"><span style="position:absolute;top:0;height:100%;left:${at(low)}%;width:${width}%;background:var(--bar)"></span><span style="position:absolute;top:0;height:100%;left:${at(figureOf(value))}%;width:3px;background:var(--accent)"></span></span><span>${link(middleRun(cell), figure(cell, value))} <span class="note">${interval(cell, value)}</span></span>`;
  });
  const id = `h-${slug(`${title} ${load}`)}`;
  return html`<section aria-labelledby="${id}"><h3 id="${id}">${title}</h3>
<div style="display:grid;grid-template-columns:fit-content(40%) minmax(4rem,1fr) auto;gap:.4rem .6rem;align-items:center">${rows}</div></section>`;
}

function sideTable({ title, head, rows }: SideTable, level: 'h2' | 'h3'): Markup {
  const id = `h-${slug(title)}`;
  const heading = level === 'h2' ? html`<h2 id="${id}">${title}</h2>` : html`<h3 id="${id}">${title}</h3>`;
  return html`<section aria-labelledby="${id}">${heading}<div class="scroll" style="margin-bottom:1.2rem" tabindex="0" role="region" aria-label="Table of ${title}"><table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(({ text, path }, column) => (column === 0 ? html`<th scope="row">${text}</th>` : html`<td>${link(path, text)}</td>`))}</tr>`)}</tbody></table></div></section>`;
}

/** A picture for each server, on the same axes. */
function curveSection({ title, key, unit, lines }: StudyCurve): Markup {
  const all = lines.flatMap(({ points }) => points);
  const top = 1.05 * Math.max(1, ...all.map(({ limit }) => limit.high ?? limit.middle));
  const x = axisTo(Math.max(...all.map(({ at }) => at), 1), key, String);
  const y = axisTo(top, unit, numberNear);
  const pictures = lines.map(({ server, points }) => {
    const ends = points.map(
      ({ at, limit }): Line => ({
        look: 'bracket',
        points: [
          [at, limit.low],
          [at, limit.high ?? top],
        ],
      }),
    );
    const curve: Line = { look: 'curve', points: points.map(({ at, limit }) => [at, figureOf(limit)]) };
    const marks = points.map((point): Mark => {
      const { at, limit } = point;
      const text = `${key} ${at}: ${limitText(point)}, ${limitInterval(point)}`;
      return { x: at, y: figureOf(limit), look: 'stable', text };
    });
    const summary = marks.map(({ text }) => text).join('; ');
    return html`<section><h3>${server}</h3>${plot({ title: `${title}, ${server}`, summary, x, y, lines: [curve, ...ends], marks, heightRem: 12 })}</section>`;
  });
  const id = `h-${slug(title)}`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="note">Measured are the marks, with their intervals. The line between them is drawn, not measured.</p><div class="columns">${pictures}</div></section>`;
}

function placeSection({ place }: StudyAnswer): Markup {
  if (!place) return nothing;
  const { loadline, cores, cpuModel, memoryMb, kernel, os, chromium } = place;
  const rows = [
    ['probe host', `${cores} cores, ${cpuModel}, ${numberNear(memoryMb)} MB`],
    ['kernel', `${kernel}, ${os}`],
    ['Loadline', loadline],
    ['Chromium', chromium],
  ];
  return html`<section aria-labelledby="h-place"><h2 id="h-place">Where it was measured</h2>
<table><tbody>${rows.map(([name, text]) => html`<tr><th scope="row">${name}</th><td>${text}</td></tr>`)}</tbody></table></section>`;
}

function repeatSection({ tables, seed, rounds }: StudyAnswer): Markup {
  const cells = tables.flatMap((table) => table.cells).filter(({ simulated }) => !simulated);
  const each = cells.map(({ id, server }) => html`<li>${server}: <code>loadline find cells/${id}.json</code></li>`);
  return html`<section aria-labelledby="h-repeat"><h2 id="h-repeat">How to repeat it</h2>
<p>All of it: <code>loadline study STUDY.yaml</code>, ${rounds} rounds in the order of the seed ${seed}.</p>
${each.length === 0 ? nothing : html`<p>One row, in the folder of the study and with its server started:</p><ul>${each}</ul>`}</section>`;
}
