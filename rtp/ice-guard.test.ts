import { expect, test } from '@playwright/test';
import { classes, Message, methods } from 'werift';
import { IceGuard } from './ice-guard.js';

const credentials = {
  localUsername: 'us',
  localPassword: 'our password of 22 letters',
  remoteUsername: 'them',
  remotePassword: 'their password of 22 letters',
};
const from = { address: '192.0.2.1', port: 5000 };
const elsewhere = { address: '192.0.2.2', port: 5000 };
const nothingSent = { transactions: {} };

type Change = (message: Message) => unknown;
const nothing: Change = () => undefined;

function message(kind: number, name: string | undefined, password: string, behind: Change = nothing): Buffer {
  const built = new Message(methods.BINDING, kind);
  if (name !== undefined) built.setAttribute('USERNAME', name);
  built.setAttribute('PRIORITY', 1).addMessageIntegrity(Buffer.from(password));
  behind(built);
  return built.bytes;
}

const { localPassword: ours, remotePassword: theirs } = credentials;
const request = (name?: string, password = ours, behind = nothing) => message(classes.REQUEST, name, password, behind);
const answer = message(classes.RESPONSE, undefined, theirs);
const answered = (at: typeof from) => ({
  transactions: { [answer.toString('hex', 8, 20)]: { addr: [at.address, at.port] as const } },
});

test('a request with our password and both names is let in, and reaches nobody yet', () => {
  const guard = new IceGuard(credentials);
  expect(guard.letsIn(request('us:them'), from, nothingSent)).toBe(true);
  expect(guard.reaches(from)).toBe(false);
});

test('DTLS is read of where a check of ours was answered, and a few datagrams wait for that and for DTLS', () => {
  const guard = new IceGuard(credentials);
  const read: string[] = [];
  const come = (nth: number, at: typeof from, bytes = 2) =>
    guard.letsIn(Buffer.alloc(bytes, 20 + nth), at, nothingSent);
  const start = () => guard.startDtls((datagram) => void read.push(`${(datagram[0] ?? 0) - 20}`));
  const isAnswered = (at: typeof from) => guard.letsIn(answer, at, answered(at));
  // Nobody has asked from there.
  come(0, from);
  for (const at of [from, elsewhere]) guard.letsIn(request('us:them'), at, nothingSent);
  come(1, from, 2049);
  for (let nth = 2; nth < 9; nth += 1) for (const at of [from, elsewhere]) come(nth, at);
  expect(isAnswered(from)).toBe(true);
  expect(read).toEqual([]);
  start();
  expect(read).toEqual(['2', '3', '4', '5']);
  expect(come(10, from)).toBe(false);
  come(11, elsewhere);
  expect(read.slice(4)).toEqual(['10']);
  isAnswered(elsewhere);
  come(12, elsewhere);
  expect(read.slice(5)).toEqual(['2', '3', '4', '5', '12']);
  // What is known of an address stays, whoever repeats a check from there.
  guard.letsIn(request('us:them'), from, nothingSent);
  expect(guard.reaches(from)).toBe(true);
});

test('before the far end is known, its name may be any', () => {
  const early = new IceGuard({ ...credentials, remoteUsername: '', remotePassword: '' });
  expect(early.letsIn(request('us:any'), from, nothingSent)).toBe(true);
  expect(early.letsIn(request('usually:any'), from, nothingSent)).toBe(false);
  expect(early.letsIn(message(classes.RESPONSE, undefined, ''), from, nothingSent)).toBe(false);
});

test('a signed request from where nothing may be sent is not let in, and its address is told', () => {
  const told: string[] = [];
  const guard = new IceGuard(credentials, {
    allowed: { permits: (address) => address === from.address, onForbidden: (address) => void told.push(address) },
  });
  expect([from, elsewhere].map((at) => guard.letsIn(request('us:them'), at, nothingSent))).toEqual([true, false]);
  guard.letsIn(request('us:them', theirs), { ...from, address: '192.0.2.9' }, nothingSent);
  expect(told).toEqual([elsewhere.address]);
  // The far end is reached: it needs no other address.
  guard.letsIn(answer, from, answered(from));
  expect(guard.letsIn(request('us:them'), { ...from, address: '192.0.2.9' }, nothingSent)).toBe(false);
  expect(told).toEqual([elsewhere.address]);
});

test('a request that is repeated from another address is not let in, and tells of no address', () => {
  const told: string[] = [];
  const allowed = { permits: () => false, onForbidden: (address: string) => void told.push(address) };
  const [open, bound] = [new IceGuard(credentials), new IceGuard(credentials, { allowed })];
  const heard = request('us:them');
  for (let again = 0; again < 2; again += 1) {
    expect(open.letsIn(heard, from, nothingSent)).toBe(true);
    expect(open.letsIn(heard, elsewhere, nothingSent)).toBe(false);
  }
  bound.letsIn(heard, from, nothingSent);
  bound.letsIn(heard, elsewhere, nothingSent);
  expect(told).toEqual([from.address]);
  // Repeats take no place from addresses that the far end comes to use.
  for (let port = 1; port <= 64; port += 1) open.letsIn(heard, { ...elsewhere, port }, nothingSent);
  expect(open.letsIn(request('us:them'), { ...from, port: 5001 }, nothingSent)).toBe(true);
});

test('no other request is let in', () => {
  const unsigned = new Message(methods.BINDING, classes.REQUEST).setAttribute('USERNAME', 'us:them') as Message;
  const fingerprinted = request('us:them', ours, (built) => built.addFingerprint());
  const changed = Buffer.from(fingerprinted);
  changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1);
  const refused = {
    unsigned: unsigned.bytes,
    'without a name': request(),
    'of another name': request('us:others'),
    'of our name alone': request('us'),
    'of another password': request('us:them', theirs),
    'with a nomination behind what is signed': request('us:them', ours, (built) =>
      built.setAttribute('USE-CANDIDATE', null),
    ),
    'with a wrong fingerprint': changed,
    'cut short': fingerprinted.subarray(0, -4),
    'with bytes behind it': Buffer.concat([fingerprinted, Buffer.alloc(4)]),
    'of another method': message(methods.ALLOCATE, 'us:them', ours),
    'an indication': message(classes.INDICATION, 'us:them', ours),
  };
  const guard = new IceGuard(credentials);
  expect(guard.letsIn(fingerprinted, from, nothingSent)).toBe(true);
  expect(
    Object.entries(refused).flatMap(([name, bytes]) => (guard.letsIn(bytes, from, nothingSent) ? [name] : [])),
  ).toEqual([]);
});

test('an answer is let in from where we asked, to what we asked, with their password', () => {
  const guard = new IceGuard(credentials);
  const sent = answered(from);
  expect(guard.letsIn(answer, from, nothingSent)).toBe(false);
  expect(guard.letsIn(answer, elsewhere, sent)).toBe(false);
  const forged = message(classes.RESPONSE, undefined, ours);
  expect(
    guard.letsIn(forged, from, { transactions: { [forged.toString('hex', 8, 20)]: { addr: ['192.0.2.1', 5000] } } }),
  ).toBe(false);
  expect(guard.reaches(from)).toBe(false);
  expect(guard.letsIn(answer, from, sent)).toBe(true);
  expect(guard.reaches(from)).toBe(true);
  expect(new IceGuard(credentials, { isOwn: (_, at) => at.port === 5000 }).letsIn(answer, from, nothingSent)).toBe(
    true,
  );
});

test('who repeats a check from everywhere takes no memory for it, and drives out nobody', () => {
  const guard = new IceGuard(credentials);
  expect(guard.letsIn(answer, elsewhere, answered(elsewhere))).toBe(true);
  const ports = Array.from({ length: 1000 }, (_, nth) => ({ ...from, port: nth + 1 }));
  expect(ports.filter((at) => guard.letsIn(request('us:them'), at, nothingSent))).toHaveLength(63);
  expect(guard.letsIn(request('us:them'), { ...from, port: 999 }, nothingSent)).toBe(false);
  expect(guard.reaches(elsewhere)).toBe(true);
  const last = { ...from, port: 1000 };
  expect(guard.letsIn(answer, last, answered(last))).toBe(true);
  expect(guard.reaches(last)).toBe(true);
});
