/** What of the repository an addition touches. Paths are relative to it; NAME stands for that of what is added. */
export interface Growth {
  readonly what: string;
  readonly touches: readonly { readonly path: string; readonly why: string }[];
}

/** The lists of docs/growing.md, which are held against the code by tests. */
export const growths: readonly Growth[] = [
  {
    what: 'a new server kind',
    touches: [
      {
        path: 'server-setup/NAME/kind.ts',
        why: 'everything that the tool must know of it, and beside it what speaks to it',
      },
      { path: 'server-setup/kinds.ts', why: 'one line: its import, and its place in the list' },
      { path: 'docs/NAME.md', why: 'how to start one, what it needs, what it cannot do' },
    ],
  },
];
