/** What of the repository an addition touches. Paths are relative to it; NAME stands for that of what is added. */
interface Growth {
  readonly what: string;
  readonly touches: readonly { readonly path: string; readonly why: string }[];
}

/** The lists of docs/reference/growing.md, which are held against the code by tests. */
export const growths: readonly Growth[] = [
  {
    what: 'a new scenario',
    touches: [
      {
        path: 'scenarios/NAME.ts',
        why: 'what a session looks like: who sends what, whose media each must receive, what a size counts',
      },
      { path: 'scenarios/index.ts', why: 'one line: its import, and its place in the list' },
      { path: 'README.md', why: 'its row in the table of scenarios' },
      {
        path: 'docs/loadline.schema.json',
        why: 'made anew: `./loadline plan --schema > docs/loadline.schema.json`',
      },
    ],
  },
  {
    what: 'a new server kind',
    touches: [
      {
        path: 'server-setup/NAME/kind.ts',
        why: 'everything that the tool must know of it, and beside it what speaks to it',
      },
      { path: 'server-setup/kinds.ts', why: 'one line: its import, and its place in the list' },
      { path: 'docs/reference/NAME.md', why: 'how to start one, what it needs, what it cannot do' },
    ],
  },
  {
    what: 'a new fleet',
    touches: [
      { path: 'probes/NAME/', why: 'the fleet: what starts probes there, and tells of them' },
      { path: 'cli/wiring/wiring.ts', why: 'one line: which fleet a plan asks for' },
      { path: 'docs/reference/NAME.md', why: 'its page: what it needs, how it is set up, what it cannot do' },
    ],
  },
  {
    what: 'a new sink',
    touches: [
      {
        path: 'store/NAME/',
        why: 'the kind: its flag, what stands behind it, how a point is written and how a batch of them is sent',
      },
      { path: 'store/sinks.ts', why: 'its line in the registry' },
      { path: 'docs/reference/NAME.md', why: 'its page: addresses, login, what becomes of points' },
      {
        path: 'docs/loadline.schema.json',
        why: 'made anew: `./loadline plan --schema > docs/loadline.schema.json`',
      },
    ],
  },
  {
    what: 'a new player',
    touches: [
      { path: 'probes/NAME/', why: 'the player (`probes/player.ts`): what starts, fails, hangs up and closes probes' },
      { path: 'model/players.ts', why: 'its member of the union, with its fields; whether it has browsers' },
      {
        path: 'model/probe-kinds.ts',
        why: 'its kind of probe, where that costs something of its own, and whom it can play',
      },
      { path: 'model/together.ts', why: 'its rows: what it does not go with' },
      { path: 'cli/options/media-flags.ts', why: 'its word of `--media`, and the flags of its fields' },
      { path: 'model/cast.ts', why: 'whom it plays: all, or some with browsers among them' },
      { path: 'cli/wiring/players.ts', why: 'one line: what plays it, on this host and on those that are offered' },
      { path: 'cli/live/plan-lines.ts', why: 'its words in what `plan` prints' },
      { path: 'analysis/compare/compared-facts.ts', why: 'its words where runs are put side by side' },
      { path: 'docs/reference/NAME.md', why: 'its page: what it needs, what it cannot do, how it was compared' },
      {
        path: 'docs/loadline.schema.json',
        why: 'made anew: `./loadline plan --schema > docs/loadline.schema.json`',
      },
    ],
  },
  {
    what: 'a new metric',
    touches: [
      {
        path: 'model/metric.ts',
        why: 'its entry in the catalogue: unit, form, kinds, and the field of getStats that the page reads it from',
      },
      { path: 'docs/reference/measuring.md', why: 'its row: what it is' },
      { path: 'docs/lab/measuring.md', why: 'its row: what it rests on, and what real servers do to it' },
    ],
  },
  {
    what: 'a value to limit',
    touches: [
      { path: 'model/aggregate.ts', why: 'its name and unit' },
      {
        path: 'analysis/measure/receive-stream.ts',
        why: 'how it is made of the seconds; of sent streams in `stream-fold.ts`',
      },
      {
        path: 'model/measures.ts',
        why: 'one entry: how expressions call it, for which streams it is, and which way is better',
      },
      { path: 'docs/reference/measuring.md', why: 'its row under the window, with its name in expressions' },
    ],
  },
  {
    what: 'a limit with a name',
    touches: [
      { path: 'model/plan.ts', why: 'its field and its default' },
      { path: 'model/verdict.ts', why: 'the code of the reason' },
      { path: 'analysis/judge/named-limits.ts', why: 'its entry: which value of which streams, and its words' },
      { path: 'analysis/judge/thresholds/presets.ts', why: 'what each preset makes of it' },
      { path: 'cli/live/plan-lines.ts', why: 'its line in what `plan` prints' },
      { path: 'analysis/report/trial-line.ts', why: 'the one word for it while a run goes on' },
      { path: 'docs/reference/judging.md', why: 'its row, and where its default comes from' },
    ],
  },
];
