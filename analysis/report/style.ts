/** Colour for a terminal, handed in by whoever knows whether there is one. */
export interface TextStyle {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

const asIs = (text: string) => text;

export const plainStyle: TextStyle = { dim: asIs, bold: asIs, good: asIs, bad: asIs, warn: asIs };
