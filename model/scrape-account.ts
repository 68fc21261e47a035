/** What came of asking a page of metrics (`--evidence`) through one trial. */
export interface ScrapeAccount {
  readonly source: string;
  readonly asked: number;
  readonly failed: number;
  /** Why the first one failed. */
  readonly why?: string;
  /** Scrapes in which a counter had gone back. */
  readonly wentBack: number;
  /** Whether it ever told of the host, of a part of it, and which metrics that were asked for by name it had. */
  readonly host: boolean;
  readonly part?: string;
  readonly named: readonly string[];
  /** Sentences on what could not be used. */
  readonly unclear: readonly string[];
}
