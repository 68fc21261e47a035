import type { Scenario } from '../model/scenario.js';
import { oneToOne } from './one-to-one.js';

export const scenarios: readonly Scenario[] = [oneToOne];
