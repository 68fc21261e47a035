import { answerRules } from './answer-rules.js';
import { dataRules } from './data-rules.js';
import { layerRules } from './layer-rules.js';
import { markRules } from './mark-rules.js';
import type { BuiltInRule } from './named-limit.js';

/** What is judged in every run that measures it. */
export const builtInRules: readonly BuiltInRule[] = [...markRules, ...layerRules, ...answerRules, ...dataRules];
