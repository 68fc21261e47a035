import type { FinishedRun } from '../../model/finished-run.js';
import type { Load } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { arrivalsWords } from './arrivals-section.js';

/** What is said of a kind of load alone. */
interface LoadWords {
  /** How people come, and by what their joins are judged, before anything starts. */
  comingTexts(load: Load, plan: Plan): readonly string[];
  /** How many are there at a time, at the smallest size and at the largest. */
  thereTexts(load: Load, largest: number, unit: ScenarioUnit): readonly string[];
  /** Who took part at a size: "8 probes". */
  playersText(run: FinishedRun, size: number, probes: number): string;
  /** How those fared who came at a size. */
  whoCame(run: FinishedRun, size: number): readonly string[];
  trustSentences(run: FinishedRun): readonly string[];
}

const none = () => [];

export const loadWords: Readonly<Record<Load['by'], LoadWords>> = {
  sessions: {
    playersText: (_run, _size, probes) => `${probes} probes`,
    ...{ comingTexts: none, thereTexts: none, whoCame: none, trustSentences: none },
  },
  arrivals: arrivalsWords,
};

export const wordsOf = ({ manifest }: FinishedRun): LoadWords => loadWords[manifest.plan.load.by];
