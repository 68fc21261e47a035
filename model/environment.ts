/** A variable of the environment that the tool reads. */
export interface EnvironmentVariable {
  readonly name: string;
  /** What it does, as a row of a table. */
  readonly about: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is not set that a server lets nobody in without: a sentence, and what to do. */
export interface MissingSecret {
  readonly text: string;
  readonly todo: string;
}
