/** What a join script tells of the app. */
export interface AppValue {
  /** `mark`: milliseconds since its participant began to join. `metric`: a value in a unit of the script's own. */
  readonly of: 'mark' | 'metric';
  readonly name: string;
  readonly value: number;
}

/** Of one participant in a trial: as many as `measure` tells in half an hour, and few enough to keep in memory. */
export const mostAppValues = 2000;

/** A name as limits can have it: `app.chatLatency.p95 <= 500ms`. */
export const appValueName = /^[A-Za-z][A-Za-z0-9]{0,39}$/;
