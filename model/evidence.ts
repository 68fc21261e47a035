import type { ProbeHostId } from './probe-host.js';

/** What the machines did during a trial, once a second. Absent values could not be read; they are never zero. */

/** A probe host, read from its /proc. CPU is in cores: 1.5 is one and a half cores busy. */
export interface ProbeHostReading {
  /** Absent: the one host. */
  readonly host?: ProbeHostId;
  readonly atMs: number;
  readonly cores: number;
  /** All CPU in use on the host, the media server included when it is here. */
  readonly busyCores: number;
  readonly stealCores: number;
  /** The browsers' process trees together. */
  readonly probeCores: number;
  readonly memoryAvailableMb: number;
  /** Share of the time slices, 0 to 1, in which a CPU quota (cgroup) held the browsers back. Absent: not readable. */
  readonly throttledShare?: number;
  /** Over its way to others, the fuller direction; absent where the interface does not say how much it carries. */
  readonly linkKbps?: number;
  readonly linkSpeedKbps?: number;
}

/** The media server's process, from /proc when it is on this host, else over its protocol. */
export interface ServerReading {
  readonly atMs: number;
  readonly cpuCores?: number;
  readonly rssMb?: number;
  /** What the server itself calls its used memory, where its process cannot be read; some count address space in. */
  readonly saidMemoryMb?: number;
  readonly threads?: number;
  readonly openFiles?: number;
  /** Datagrams dropped since the last reading because a receive buffer of the server was full. */
  readonly udpDrops?: number;
  /** Sessions that it says it holds, those of others included. */
  readonly sessions?: number;
  /** Bytes that left, and packets that an egress limit dropped, since the last reading (embedded server). */
  readonly egressBytes?: number;
  readonly egressDroppedPackets?: number;
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

export interface Evidence {
  readonly probeHost: readonly ProbeHostReading[];
  readonly server: readonly ServerReading[];
  /** Absent when nothing was relayed. */
  readonly turn?: readonly TurnReading[];
}
