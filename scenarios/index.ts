import type { Scenario } from '../model/scenario.js';
import { broadcast } from './broadcast.js';
import { group, sfuGroup } from './group.js';
import { oneToOne } from './one-to-one.js';

/** Members of a room unless the plan says otherwise, as in the classic sizing study. */
const usualRoomSize = 4;

export const scenarios: readonly Scenario[] = [oneToOne, group(usualRoomSize), broadcast, sfuGroup(usualRoomSize)];
