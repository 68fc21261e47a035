/** Colours of the style sheet, for what is drawn on a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

type Redraw = () => void;

const drawn = new Set<Redraw>();

/** Calls back when the colours of the page change: dark or light, screen or paper. The returned function ends that. */
export function onTheme(redraw: Redraw): () => void {
  drawn.add(redraw);
  return () => drawn.delete(redraw);
}

/** Begins to watch; called once. */
export function watchTheme(): void {
  const all = () => {
    for (const redraw of drawn) redraw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', all);
  matchMedia('print').addEventListener('change', all);
}
