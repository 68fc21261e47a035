import type { ProbeHostId } from './probe-host.js';

/** What the machines did during a trial, once a second. Absent values could not be read; they are never zero. */

/** A probe host, read from its /proc. CPU is in cores: 1.5 is one and a half cores busy. */
export interface ProbeHostReading {
  /** Absent: the one host. */
  readonly host?: ProbeHostId;
  readonly atMs: number;
  /** Those that the probes may run on; what is busy and stolen is of these alone. */
  readonly cores: number;
  /** All cores of the host, where the probes may run on some of them only. */
  readonly machineCores?: number;
  /** All CPU in use on the host, the media server included when it is here. */
  readonly busyCores: number;
  readonly stealCores: number;
  /** The browsers' process trees together. */
  readonly probeCores: number;
  readonly memoryAvailableMb: number;
  /** Share of the time slices, 0 to 1, in which a CPU quota (cgroup) held the browsers back. Absent: not readable. */
  readonly throttledShare?: number;
  /** Datagrams dropped by full sockets of probes without a browser since the last reading; absent: no such probes. */
  readonly socketDrops?: number;
  /** How late a process of such probes was at worst since the last reading; absent likewise. */
  readonly nativeLateMs?: number;
  /** Over its way to others, the fuller direction; absent where the interface does not say how much it carries. */
  readonly linkKbps?: number;
  readonly linkSpeedKbps?: number;
}

/** What control groups allow a server, such as those of its container, and how often a quota held it back. */
export interface LimitReading {
  /** Absent: no quota is known. */
  readonly cpuQuotaCores?: number;
  /** Periods in which the quota was enforced since the last reading, and those of them in which it was used up. */
  readonly quotaPeriods?: number;
  readonly throttledPeriods?: number;
  readonly memoryLimitMb?: number;
}

/** The media server's process, from /proc when it is on this host, else over its protocol. */
/** The thread of a server that used most CPU since the last reading. */
export interface ThreadReading {
  readonly id: number;
  readonly name?: string;
  readonly cores: number;
  /** Of the time, in which it was ready to run and waited for a CPU. */
  readonly waitedShare: number;
}

export interface ServerReading extends LimitReading {
  readonly atMs: number;
  readonly cpuCores?: number;
  readonly rssMb?: number;
  /** What the server itself calls its used memory, where its process cannot be read; some count address space in. */
  readonly saidMemoryMb?: number;
  readonly threads?: number;
  /** Absent in the first reading, and where its threads cannot be read. */
  readonly fullestThread?: ThreadReading;
  readonly openFiles?: number;
  /** Datagrams dropped since the last reading because a receive buffer of the server was full. */
  readonly udpDrops?: number;
  /** Sessions that it says it holds, those of others included. */
  readonly sessions?: number;
  /** Bytes that left, and packets that an egress limit dropped, since the last reading (embedded server). */
  readonly egressBytes?: number;
  readonly egressDroppedPackets?: number;
  /** Of a cluster: each of its servers by itself; what is above is of all together. */
  readonly servers?: readonly MemberReading[];
}

/** One server of a cluster; with its name alone where it could not be read. */
export interface MemberReading extends Omit<ServerReading, 'servers'> {
  readonly server: string;
}

/** The TURN server's process, when it is on this host, and what it told. */
export interface TurnReading {
  readonly atMs: number;
  readonly cpuCores?: number;
  readonly rssMb?: number;
  /** Datagrams dropped since the last reading because a receive buffer of it was full. */
  readonly udpDrops?: number;
  /** Relay addresses given and not taken back. */
  readonly allocations?: number;
}

/**
 * What a page of metrics (`--evidence`) said in one scrape of the host that the media server is on. Rates are those
 * since the scrape before; absent where a counter went back, or where what it counts changed.
 */
export interface ScrapedReading extends LimitReading {
  readonly atMs: number;
  /** Which page: its address. */
  readonly source: string;
  /** Since when its rates are; absent without one, and in what earlier versions stored. */
  readonly spanMs?: number;
  /** Why there is nothing: a gap. */
  readonly failure?: string;
  /** The page was the one of before, to the byte: its exporter has not looked again. */
  readonly unchanged?: true;
  /** A counter of it went back: what it counts was started anew. */
  readonly wentBack?: true;
  /** Sentences on what is on the page and could not be used. */
  readonly unclear?: readonly string[];
  readonly hostCores?: number;
  readonly hostBusyCores?: number;
  /** Taken by a hypervisor. */
  readonly hostStolenCores?: number;
  readonly hostMemoryMb?: number;
  readonly hostMemoryAvailableMb?: number;
  /** Of the device that sent most and the one that received most, without loopback, bridges and container pairs. */
  readonly hostSentKbps?: number;
  readonly hostReceivedKbps?: number;
  /** Of the fullest of its devices, in the fuller direction; absent where none says how much it carries. */
  readonly hostLinkPercent?: number;
  /** Whose the two that follow are, and the limits: "container kurento". */
  readonly part?: string;
  readonly cpuCores?: number;
  readonly memoryMb?: number;
  /** What was asked for by name, as it was asked; growth per second where it is a counter. */
  readonly named?: Readonly<Record<string, number>>;
}

export interface Evidence {
  readonly probeHost: readonly ProbeHostReading[];
  readonly server: readonly ServerReading[];
  /** Absent when nothing was relayed. */
  readonly turn?: readonly TurnReading[];
  /** Absent when no page of metrics was asked for. */
  readonly scraped?: readonly ScrapedReading[];
}

/** Evidence as it is kept: of a relay and of pages nothing where nothing was read of them. */
export function withoutEmpty({ turn, scraped, ...rest }: Required<Evidence>): Evidence {
  return { ...rest, ...(turn.length > 0 ? { turn } : {}), ...(scraped.length > 0 ? { scraped } : {}) };
}
