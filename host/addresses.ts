import { BlockList, isIP, isIPv6 } from 'node:net';

/** Networks that only this machine reaches (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3), in both families. */
const loopback = blockList(['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104']);

/**
 * Networks that the world does not reach (RFC 1918, 6598, 6890, 2544, 4193, 3879), or that may hide one (RFC 6052,
 * 8215, 3056).
 */
const inside = blockList([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fec0::/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
]);

/** This machine, and its link, where services of a cloud's own are (RFC 1122, 3927, 4291). */
const nearest = blockList(['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10']);

/** Whether only programs of this machine reach a host: an address of loopback without brackets, or `localhost`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || holds(loopback, host);
}

/** How near an address is: 2 this machine and its link, 1 a private network, 0 the rest of the world. */
export function nearnessOf(address: string): 0 | 1 | 2 {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (holds(nearest, plain)) return 2;
  return holds(inside, plain) ? 1 : 0;
}

function holds(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}
