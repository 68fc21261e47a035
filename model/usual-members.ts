import type { Panel } from './scenario.js';

/** Members of a room, and who sends beside viewers, where a plan says nothing; as in the classic sizing study. */
export const usualRoomSize = 4;
export const usualPanel: Panel = { presenters: 2, handsUp: 1 };
