import { expect, test } from '@playwright/test';
import { whyMade } from './own-networks.js';

const all = { mayChangeNetworks: true, programs: new Set(['ip', 'nft']), forwards: true };

for (const [what, server, lack, hasNsenter, why] of [
  ['with all that it takes', 'elsewhere', {}, true, undefined],
  ['without rights', 'of-this-run', { mayChangeNetworks: false }, true, 'namespaces need root'],
  ['without ip', 'of-this-run', { programs: new Set<string>() }, true, 'ip of iproute2'],
  ['without nsenter', 'of-this-run', {}, false, 'nsenter of util-linux'],
  ['without nft, and a server on another machine', 'elsewhere', { programs: new Set(['ip']) }, true, 'nft of nftables'],
  [
    'that forwards nothing, and a server on another machine',
    'elsewhere',
    { forwards: false },
    true,
    'does not forward',
  ],
  ['that forwards nothing, and a server here', 'this-machine', { forwards: false }, true, undefined],
] as const) {
  test(`hosts on a machine ${what} have ${why === undefined ? 'networks of their own' : 'its network, and are told why'}`, () => {
    const said = whyMade(server, { ...all, ...lack }, hasNsenter);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(why);
  });
}
