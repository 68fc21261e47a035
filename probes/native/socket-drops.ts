/** Of a line of /proc/net/udp (proc(5)): its local address in hexadecimal, and its last word, datagrams dropped. */
const linePattern = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) .*\s(\d+)\s*$/;

/** Datagrams that each of these ports has dropped since it was opened because nobody had read those before. */
export function dropsByPort(table: string, ports: ReadonlySet<number>): ReadonlyMap<number, number> {
  const drops = new Map<number, number>();
  for (const line of table.split('\n')) {
    const [, port = '', count = ''] = linePattern.exec(line) ?? [];
    const number = Number.parseInt(port, 16);
    if (ports.has(number)) drops.set(number, (drops.get(number) ?? 0) + Number(count));
  }
  return drops;
}

/** What was dropped since the reading before. A port that was closed meanwhile takes what it dropped last with it. */
export function dropsSince(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const [port, drops] of now) sum += Math.max(0, drops - (before.get(port) ?? 0));
  return sum;
}
