/** Why a trial ended before its time. */
export interface EarlyEnd {
  /** Of the measured window; 0 when it ended before that. */
  readonly afterMs: number;
  /** The worst reason, a whole sentence. */
  readonly because: string;
}

/** Why a stable trial was not measured to its end. */
export interface Screened {
  /** Of the measured window. */
  readonly afterMs: number;
  /** A whole sentence: what came nearest to its limit. */
  readonly because: string;
}
