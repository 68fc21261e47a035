import { type DrawnMark, type Luma, type Place, readDrawn } from './drawn-mark.js';

/**
 * How a mixed picture is divided, and how what is in a tile of another shape fills it: stretched, within it, or as high
 * as it and cut at its right.
 */
interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly filled: 'stretched' | 'boxed' | 'cut';
}

const mostColumns = 5;
/** A mix in which nobody was found so often is looked through no further: its mixer leaves no marks. */
const vainLooks = 20;
/** The layout changes when somebody comes or goes: all are tried again so often. */
const triesEvery = 8;

/** Grids as mixers lay them out: as many columns as rows, or one row less, or one line of them. */
const layouts: readonly Layout[] = Array.from({ length: mostColumns }, (_, nth) => nth + 1).flatMap((columns) =>
  [...new Set([columns, Math.max(1, columns - 1), 1])].flatMap((rows) =>
    (['stretched', 'boxed', 'cut'] as const).map((filled) => ({ columns, rows, filled })),
  ),
);

interface Picture {
  readonly width: number;
  readonly height: number;
}

function tilesOf({ columns, rows, filled }: Layout, mix: Picture, sent: Picture): Place[] {
  const [wide, high] = [Math.floor(mix.width / columns / 2) * 2, Math.floor(mix.height / rows / 2) * 2];
  const [byWidth, byHeight] = [wide / sent.width, high / sent.height];
  const scale = filled === 'cut' ? byHeight : Math.min(byWidth, byHeight);
  const [width, height] = filled === 'stretched' ? [wide, high] : [sent.width * scale, sent.height * scale];
  const isBoxed = filled === 'boxed';
  return Array.from({ length: columns * rows }, (_, nth) => ({
    x: (nth % columns) * wide + (isBoxed ? (wide - width) / 2 : 0),
    y: Math.floor(nth / columns) * high + (isBoxed ? (high - height) / 2 : 0),
    width,
    height,
  }));
}

/** Finds the marks in a mixed picture, whose layout is found by them. */
export class Tiles {
  private last: Layout | undefined;
  private looks = 0;

  /** @param sent the shape of the pictures that are mixed */
  constructor(private readonly sent: Picture) {}

  read(luma: Luma, mix: Picture): readonly DrawnMark[] {
    const { last } = this;
    if (!last && this.looks >= vainLooks) return [];
    this.looks += 1;
    const marksIn = (layout: Layout) =>
      tilesOf(layout, mix, this.sent).flatMap((place) => readDrawn(luma, place) ?? []);
    const again = last ? marksIn(last) : [];
    if (again.length > 0 && this.looks % triesEvery !== 0) return again;
    const tries = layouts.map((layout) => ({ layout, marks: layout === last ? again : marksIn(layout) }));
    const best = tries.reduce((most, one) => (one.marks.length > most.marks.length ? one : most));
    if (best.marks.length <= again.length) return again;
    this.last = best.layout;
    return best.marks;
  }
}
