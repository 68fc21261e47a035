import type { Link } from '../../model/network.js';
import { netemArguments } from './netem-arguments.js';

/**
 * How one interface of the box shapes what leaves through it. Each connection of a probe has a UDP port of its own from
 * the range that its namespace is given, so that the low byte of the port says which netem, with queue and chance to
 * itself, its packets go through. One netem for all would be one link that all participants of a group share.
 */
export interface Shape {
  readonly device: string;
  /** Which port names the connection: what goes up comes from the probe's port, what goes down is for it. */
  readonly port: 'source' | 'destination';
  readonly link: Link;
  /** Connections, a power of two up to 256. */
  readonly slots: number;
}

/** A port is chosen by chance; with half of the range free it is always found at once. */
const rangePerConnection = 2;
const fewestSlots = 32;

/** How many slots so many connections need. */
export function slotsFor(connections: number): number {
  const wanted = Math.max(fewestSlots, connections * rangePerConnection);
  return 2 ** Math.ceil(Math.log2(wanted));
}

/** The namespace's ephemeral ports: its low byte runs from 0 to `slots` - 1. */
export const firstPort = 0xa000;

/** Class numbers are hexadecimal and from 1; the last two are for ARP and for what is no connection. */
const untouched = 'fffe';
const everythingElse = 'ffff';
const between = 'fffd';
const fast = 'htb rate 10gbit quantum 60000';

/** Lines for `tc -batch` that shape a device anew; what shaped it before is gone. */
export function shapeLines(shape: Shape): readonly string[] {
  const { device, port, link, slots } = shape;
  const netem = netemArguments(link).join(' ');
  const lines = [
    // An htb cannot be replaced by another one of its own handle: something else goes between.
    `qdisc replace dev ${device} root handle ${between}: pfifo`,
    `qdisc replace dev ${device} root handle 1: htb default ${everythingElse}`,
    `class add dev ${device} parent 1: classid 1:${untouched} ${fast}`,
    `class add dev ${device} parent 1: classid 1:${everythingElse} ${fast}`,
    `qdisc add dev ${device} parent 1:${everythingElse} netem ${netem}`,
    // Without an answer to ARP there would be no link at all.
    `filter add dev ${device} parent 1: protocol arp prio 1 u32 match u32 0 0 flowid 1:${untouched}`,
    `filter add dev ${device} parent 1: protocol ip prio 2 handle 2: u32 divisor 256`,
  ];
  const mask = port === 'source' ? '0x00ff0000' : '0x000000ff';
  // Into the table of this priority: a table named by number may be another priority's (ARP's would be 800).
  const toTable = `filter add dev ${device} parent 1: protocol ip prio 2 u32 match u32 0 0 hashkey mask ${mask} at 20 link 2:`;
  return [...lines, ...slotNumbers(slots).flatMap((slot) => slotLines(device, slot, netem)), toTable];
}

function slotLines(device: string, slot: number, netem: string): string[] {
  const classId = `1:${hex(slot + 1)}`;
  return [
    `class add dev ${device} parent 1: classid ${classId} ${fast}`,
    `qdisc add dev ${device} parent ${classId} handle ${hex(slot + 0x10)}: netem ${netem}`,
    `filter add dev ${device} parent 1: protocol ip prio 2 u32 ht 2:${hex(slot)}: match u32 0 0 flowid ${classId}`,
  ];
}

/** Lines that make the links of a shaped device other ones, without losing what is in their queues. */
export function reshapeLines({ device, link, slots }: Shape): readonly string[] {
  const netem = netemArguments(link).join(' ');
  return slotNumbers(slots).map(
    (slot) => `qdisc change dev ${device} parent 1:${hex(slot + 1)} handle ${hex(slot + 0x10)}: netem ${netem}`,
  );
}

/** Packets from each of two interfaces of the box leave through the other. */
export function redirectLines(one: string, other: string): readonly string[] {
  return [
    [one, other],
    [other, one],
  ].flatMap(([from, to]) => [
    `qdisc add dev ${from} ingress`,
    `filter add dev ${from} parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev ${to}`,
  ]);
}

function slotNumbers(slots: number): readonly number[] {
  return Array.from({ length: slots }, (_, slot) => slot);
}

function hex(value: number): string {
  return value.toString(16);
}
