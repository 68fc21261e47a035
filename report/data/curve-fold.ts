import type { Sample } from '../../model/sample.js';
import { CurveGrid, type CurveSums, type Span } from './curve-grid.js';
import type { CurveStream } from './curve-streams.js';
import { HostLags, type ToldLags, widestPointMs } from './host-curves.js';
import { type AskedStreams, LayerCurves } from './layer-curves.js';

/** Of what curves are to be gathered, and where they lie. */
export interface FoldOrder {
  readonly probes: readonly string[];
  readonly streams: readonly CurveStream[];
  readonly asked: AskedStreams;
  readonly span: Span;
}

/** What was gathered of some of the probes, as it goes from one thread to another. */
export interface Folded {
  readonly sums: CurveSums;
  readonly lags: ToldLags;
  readonly layers: CurveSums;
}

export class CurveFold {
  readonly grid: CurveGrid;
  readonly lags = new HostLags();
  readonly layers: LayerCurves;

  private readonly span: Span;

  constructor({ probes, streams, asked, span }: FoldOrder) {
    this.span = span;
    this.grid = new CurveGrid(probes, span, streams);
    this.layers = new LayerCurves(asked, span);
  }

  /** The samples of a probe in order of time. */
  add(samples: readonly Sample[]): void {
    for (const sample of samples) {
      this.grid.add(sample);
      this.layers.add(sample);
      if (this.isNear(sample)) this.lags.add(sample);
    }
  }

  addFolded({ sums, lags, layers }: Folded): void {
    this.grid.addSums(sums);
    this.lags.addAll(lags);
    this.layers.addSums(layers);
  }

  /** What is drawn is within the span; its first and last points may be wider than that. */
  private isNear({ atMs }: Sample): boolean {
    const { fromMs, toMs } = this.span;
    return atMs >= fromMs - widestPointMs && atMs <= toMs + widestPointMs;
  }

  folded(): Folded {
    return { sums: this.grid.sums(), lags: this.lags.told(), layers: this.layers.sums() };
  }
}
