/** What a field may hold; an absent one is left out, never written as zero. */
export type FieldValue = number | string | boolean | undefined;

export type Tags = Readonly<Record<string, string>>;

/** Something that was measured or happened, in words of Loadline alone; a sink writes it in its own language. */
export interface DataPoint {
  /** `loadline_stream`: all points of a measurement have the same tags and fields, as far as they are there. */
  readonly measurement: string;
  /** What it is of: run, trial, probe. With measurement and time they tell points apart. */
  readonly tags: Readonly<Record<string, string | undefined>>;
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** It says how something was in one second; all else is of an event, a trial or a run. */
  readonly isOfSecond: boolean;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Nanoseconds on top, where several of the same tags may share a millisecond. */
  readonly nth?: number;
}
