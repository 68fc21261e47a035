/** Who speaks in turns: asks and listens, or hears a question and answers. */
export interface Turns {
  readonly part: 'asks' | 'answers';
  /** How long one of ours who answers waits once the question has ended. */
  readonly pauseMs: number;
}

/** A question waits no longer than that for its answer. All of a turn is shorter than the shortest window. */
export const turnTimes = { questionMs: 3000, waitMs: 5000, answerMs: 2000, restMs: 1000 } as const;

/** What a person takes for thinking, and not for a line that is dead. */
export const usualPauseMs = 800;
