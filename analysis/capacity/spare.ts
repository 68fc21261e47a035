/** Which loss the hosts survive with the whole demand still carried. */
export type Spare =
  | { readonly kind: 'none' }
  /** N + 1, N + 2: any so many hosts. */
  | { readonly kind: 'hosts'; readonly hosts: number }
  /** One whole zone of so many, between which hosts are dealt evenly. */
  | { readonly kind: 'zone'; readonly zones: number };

/** Hosts of one kind, of which `needed` must be left after the loss. None are needed for nothing. */
export function withSpare(needed: number, spare: Spare): number {
  if (needed === 0 || spare.kind === 'none') return needed;
  if (spare.kind === 'hosts') return needed + spare.hosts;
  // Of n hosts in z zones the fullest zone has ⌈n ÷ z⌉, so ⌊n·(z − 1) ÷ z⌋ are left.
  return Math.ceil((needed * spare.zones) / (spare.zones - 1));
}

export function spareText(spare: Spare): string {
  if (spare.kind === 'none') return 'no host to spare: the loss of one is an overload of the others';
  if (spare.kind === 'zone')
    return `the loss of one zone of ${spare.zones} is survived, with hosts dealt evenly to the zones`;
  return `the loss of any ${spare.hosts === 1 ? 'host' : `${spare.hosts} hosts`} is survived`;
}
