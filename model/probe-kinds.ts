import type { ProbeRecord } from './trial.js';

/** Cost of a probe by kind: stated (`docs/lab/density.md`), or measured by `loadline calibrate` on this host. */
export interface ProbeCost {
  /** In a browser, of a probe that sends and receives audio and video once, as in a call; else of one way alone. */
  readonly coresPerProbe: number;
  /** What the embedded server takes for it on the same host; 0 where it is in `coresPerProbe`. */
  readonly serverCoresPerProbe: number;
  readonly probeMb: number;
  /** Of an empty browser or process; 0 where it is in `probeMb`. */
  readonly browserMb: number;
}

export type Marks = Pick<ProbeRecord, 'native' | 'encoded'>;

/** What is to be known of a kind of probe before one plays. */
type ProbeKindRow = {
  /** What the record of such a probe says of it. */
  readonly mark: keyof Marks | undefined;
  /** As stated, for hosts that were never calibrated. */
  readonly cost: ProbeCost;
  /**
   * How fast so many cores have them join in a calibration, and how many embedded servers take for a core what these
   * probes do: as much as those without a browser, and a quarter of what browsers take.
   */
  readonly calibrated: { readonly paceOf: (cores: number) => number; readonly serversPerCore: number };
} & (
  | {
      readonly browser: true;
      /** What a connection without pictures takes of what one with them does. */
      readonly soundShare: number;
    }
  | {
      /** What only a decoder or a jitter buffer says is not known of it, and browsers among its like judge for it. */
      readonly browser: false;
      /** Who plays it, by the name that hosts know it by. */
      readonly player: string;
      /** A process has some 60 MB of its own: so many probes share one before a further core gets another. */
      readonly perProcess: number;
    }
);

const ofBrowsers = { paceOf: () => 6, serversPerCore: 0.5 } as const;

/**
 * Kinds of probes that cost differently, the cheapest first. Costs are of `docs/lab/native-probes.md`: native
 * 0.0029 (in calls of 96) to 0.0084, 1.4 to 3.6 MiB, a process 37 MiB and the clip 15.5; the server of 100 viewers 0.3
 * (`docs/lab/encoded-probes.md`). `docs/lab/density.md`: full 0.17 to 0.22 of a core and the server 0.017 to
 * 0.025, encoded 0.042 to 0.05 and 0.011 to 0.014.
 */
export const probeKinds = {
  native: {
    mark: 'native',
    cost: { coresPerProbe: 0.005, serverCoresPerProbe: 0.003, probeMb: 3, browserMb: 56 },
    calibrated: { paceOf: (cores) => Math.max(6, Math.min(20, 3 * cores)), serversPerCore: 1 },
    browser: false,
    player: 'native',
    perProcess: 100,
  },
  encoded: {
    mark: 'encoded',
    cost: { coresPerProbe: 0.05, serverCoresPerProbe: 0.0125, probeMb: 19, browserMb: 250 },
    calibrated: ofBrowsers,
    browser: true,
    soundShare: 0.45,
  },
  full: {
    mark: undefined,
    cost: { coresPerProbe: 0.2, serverCoresPerProbe: 0.02, probeMb: 28, browserMb: 250 },
    calibrated: ofBrowsers,
    browser: true,
    soundShare: 0.15,
  },
} as const satisfies Readonly<Record<string, ProbeKindRow>>;

export type ProbeKind = keyof typeof probeKinds;
/** Of probes without a browser. */
export type BrowserlessKind = {
  [Kind in ProbeKind]: (typeof probeKinds)[Kind]['browser'] extends false ? Kind : never;
}[ProbeKind];

export function isBrowserless(kind: string): kind is BrowserlessKind {
  return kind in probeKinds && !probeKinds[kind as ProbeKind].browser;
}

export const probeKindNames = Object.keys(probeKinds) as readonly ProbeKind[];

export function eachKind<Value>(of: (kind: ProbeKind) => Value): Record<ProbeKind, Value> {
  return Object.fromEntries(probeKindNames.map((kind) => [kind, of(kind)])) as Record<ProbeKind, Value>;
}

/** By what its record says. */
export function probeKindOf(marks: Marks): ProbeKind {
  const isOf = (kind: ProbeKind) => {
    const { mark } = probeKinds[kind];
    return mark === undefined || marks[mark] === true;
  };
  return probeKindNames.find(isOf) as ProbeKind;
}

export function hasBrowser(marks: Marks): boolean {
  return probeKinds[probeKindOf(marks)].browser;
}

/** What the record of a probe says of its kind before its player has told anything. */
export function marksOf(player: string | undefined): Marks {
  const row = Object.values(probeKinds).find((one) => !one.browser && one.player === player);
  return row?.mark ? { [row.mark]: true } : {};
}
