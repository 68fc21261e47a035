/** Why a trial was not measured to its end. */
export interface EarlyEnd {
  /** Of the measured window; 0 when it ended before that. */
  readonly afterMs: number;
  /** A whole sentence: the worst reason, or of a stable trial what came nearest to its limit. */
  readonly because: string;
}
