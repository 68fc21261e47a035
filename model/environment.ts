/** A variable of the environment that the tool reads. */
export interface EnvironmentVariable {
  readonly name: string;
  /** What it does, as a row of a table. */
  readonly about: string;
}
