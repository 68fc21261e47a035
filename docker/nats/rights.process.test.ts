import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { expect, test } from '@playwright/test';
import type { Bus } from '../../probes/hosts/bus.js';
import { findHosts } from '../../probes/hosts/find-hosts.js';
import { type NatsOptions, openNatsBus } from '../../probes/hosts/nats-bus.js';
import {
  conductorInbox,
  type HostAddress,
  hostInbox,
  offerSubject,
  orderSubject,
  signalSubject,
  toldStream,
  toldSubject,
  toldSubjects,
} from '../../probes/hosts/subjects.js';
import { long } from '../../tests/effort.js';
import { hasNats, RealNats } from '../../tests/real-nats.js';
import { soon } from '../../tests/soon.js';

test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');

const fileOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const lease = 'l1';
const first: HostAddress = { name: 'eu-1', instance: 'i1' };
const second: HostAddress = { name: 'eu-2', instance: 'i2' };
const soonMs = 400;

let nats: RealNats;
const buses: Bus[] = [];
test.beforeEach(async () => {
  nats = await RealNats.make();
});
test.afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close();
  await nats.close();
});

type Access = Omit<NatsOptions, 'url' | 'name' | 'inbox'>;

async function as(who: 'conductor' | HostAddress, access: Access, url = nats.url): Promise<Bus> {
  const inbox = who === 'conductor' ? conductorInbox : hostInbox(who.name);
  const bus = await openNatsBus({ url, name: 'a test', inbox, ...access });
  buses.push(bus);
  return bus;
}

/** What a run does over the bus, with one of each side. */
async function playOnce(conductor: Bus, host: Bus, address: HostAddress): Promise<void> {
  const stops = [
    host.answer(orderSubject(address), async (order) => `${order}ed`),
    host.answer('$SRV.PING.loadline-host', async () => address.name),
    conductor.answer(signalSubject(lease, address), async () => 'an answer'),
  ];
  await soon(() => conductor.request(orderSubject(address), 'play', soonMs).catch(String)).toBe('played');
  expect(await conductor.askAll('$SRV.PING.loadline-host', '', soonMs)).toEqual([address.name]);
  expect(await host.request(signalSubject(lease, address), 'an offer', soonMs)).toBe('an answer');
  await conductor.openStream(toldStream(lease), toldSubjects(lease));
  const read: string[] = [];
  const stopReading = await conductor.read(toldStream(lease), (text, subject) => void read.push(`${subject} ${text}`));
  await host.append(toldSubject(lease, address), 'a sample', 'id', 2000);
  await soon(() => read).toEqual([`${toldSubject(lease, address)} a sample`]);
  await stopReading();
  await conductor.closeStream(toldStream(lease));
  for (const stop of stops) stop();
}

/** Listens without the right to: what it hears none the less. */
function eavesdropper(bus: Bus, ...subjects: readonly string[]): readonly string[] {
  const heard: string[] = [];
  for (const subject of subjects) {
    bus.answer(subject, async (text) => {
      heard.push(text);
      return 'an impostor';
    });
  }
  return heard;
}

const silent = { name: 'BusSilence' };

async function assertApart(conductor: Bus, one: Bus, other: Bus): Promise<void> {
  const given: string[] = [];
  one.answer(orderSubject(first), async (order) => {
    given.push(order);
    return 'done';
  });
  const overheard = eavesdropper(other, orderSubject(first), 'loadline.host.>', `${conductorInbox}.>`, '_INBOX.>');
  const posed = eavesdropper(conductor, orderSubject(second));
  await soon(() => conductor.request(orderSubject(first), 'play', soonMs).catch(String)).toBe('done');
  // A host gives no orders, asks no host for anything, and says nothing in the name of another.
  for (const subject of [orderSubject(first), offerSubject(first), orderSubject(second), signalSubject(lease, first)]) {
    await expect(other.request(subject, 'mine', soonMs), subject).rejects.toMatchObject(silent);
  }
  await conductor.openStream(toldStream(lease), toldSubjects(lease));
  await expect(other.append(toldSubject(lease, first), 'a lie', 'id-1', soonMs)).rejects.toMatchObject(silent);
  await expect(other.openStream('MINE', 'mine.>')).rejects.toThrow();
  await expect(other.closeStream(toldStream(lease))).rejects.toThrow();
  // A conductor poses as no host: it neither takes orders nor tells of a trial.
  await expect(conductor.append(toldSubject(lease, first), 'a lie', 'id-2', soonMs)).rejects.toMatchObject(silent);
  await expect(one.request(orderSubject(second), 'mine', soonMs)).rejects.toMatchObject(silent);
  await conductor.closeStream(toldStream(lease));
  expect([given, overheard, posed]).toEqual([['play'], [], []]);
}

test('with bus.conf both sides can do what a run needs by their passwords, and a host gives no orders and reads no stream', async () => {
  const variables = { LOADLINE_CONDUCTOR_PASSWORD: 'ada-pass', LOADLINE_HOST_PASSWORD: 'host-pass' };
  await nats.start(fileOf('bus.conf'), variables);
  const conductor = await as('conductor', { login: { user: 'conductor', password: 'ada-pass' } });
  const host = await as(first, { login: { user: 'host', password: 'host-pass' } });
  await playOnce(conductor, host, first);
  const orders = eavesdropper(host, orderSubject(first));
  await expect(host.request(orderSubject(second), 'mine', soonMs)).rejects.toMatchObject(silent);
  await expect(host.openStream('MINE', 'mine.>')).rejects.toThrow();
  await expect(findHosts(host)).rejects.toMatchObject({ code: 'E_BUS' });
  const posed = eavesdropper(conductor, orderSubject(second));
  await soon(() => conductor.request(orderSubject(first), 'play', soonMs).catch(String)).toBe('an impostor');
  await expect(conductor.request(orderSubject(second), 'play', soonMs)).rejects.toMatchObject(silent);
  expect([orders, posed]).toEqual([['play'], []]);
  await expect(as(first, { login: { user: 'host', password: 'guessed' } })).rejects.toThrow(/authorization/i);
  await expect(as(first, {})).rejects.toThrow(/authorization/i);
});

test('with bus-apart.conf, by nkeys and over TLS, no host reads what another is told or speaks in its name', async () => {
  const tls = selfSigned(nats.folder);
  const users = [nkeys.createUser(), nkeys.createUser(), nkeys.createUser()];
  const [ada, one, other] = users.map((pair) => ({ creds: new TextDecoder().decode(pair.getSeed()), ca: tls.ca }));
  const [LOADLINE_CONDUCTOR_NKEY = '', LOADLINE_EU_1_NKEY = '', LOADLINE_EU_2_NKEY = ''] = users.map((pair) =>
    pair.getPublicKey(),
  );
  const lines = fileOf('bus-apart.conf').replaceAll('/etc/nats', nats.folder);
  await nats.start(lines, { LOADLINE_CONDUCTOR_NKEY, LOADLINE_EU_1_NKEY, LOADLINE_EU_2_NKEY });
  const url = `tls://localhost:${nats.port}`;
  const [conductor, host, neighbour] = [
    await as('conductor', ada ?? {}, url),
    await as(first, one ?? {}, url),
    await as(second, other ?? {}, url),
  ];
  await playOnce(conductor, host, first);
  await assertApart(conductor, host, neighbour);
  await expect(as(first, { creds: one?.creds ?? '' }, url), 'nobody whom Node knows vouches for it').rejects.toThrow();
});

test('bus-tls.conf is the same bus over TLS: nobody comes in who does not know who vouches for it', async () => {
  const { ca } = selfSigned(nats.folder);
  const own = (name: string) =>
    fileOf(name)
      .replace(/^listen: .*$/m, '')
      .replaceAll('/var/lib/nats', nats.store);
  await writeFile(join(nats.folder, 'bus.conf'), own('bus.conf'));
  const certified = own('bus-tls.conf').replace(/\/etc\/nats-tls\/tls.crt/, join(nats.folder, 'server.pem'));
  const variables = { LOADLINE_CONDUCTOR_PASSWORD: 'ada-pass', LOADLINE_HOST_PASSWORD: 'host-pass' };
  await nats.start(certified.replace(/\/etc\/nats-tls\/tls.key/, join(nats.folder, 'server.key')), variables);
  const url = `tls://localhost:${nats.port}`;
  const conductor = await as('conductor', { login: { user: 'conductor', password: 'ada-pass' }, ca }, url);
  const login = { user: 'host', password: 'host-pass' };
  await playOnce(conductor, await as(first, { login, ca }, url), first);
  await expect(as(first, { login }, url)).rejects.toThrow();
});

test('with operator.conf each user shows a JWT of its account, whose one signing key gives each host the rights of its name', async () => {
  const operator = nkeys.createOperator();
  const [account, role, ada] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()];
  await writeFile(join(nats.folder, 'operator.jwt'), jwt(operator, operator, 'loadline', { type: 'operator' }));
  const scope = {
    kind: 'user_scope',
    key: role.getPublicKey(),
    role: 'host',
    template: {
      pub: { allow: ['loadline.conductor.*.{{name()}}.*.signal', 'loadline.told.*.{{name()}}.*'] },
      sub: { allow: ['$SRV.>', 'loadline.host.{{name()}}.*.*', '_INBOX.loadline-host.{{name()}}.>'] },
      resp: { max: 1, ttl: 120_000_000_000 },
      ...unlimited,
    },
  };
  const most = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const limits = { ...most, mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const claims = { type: 'account', limits, signing_keys: [scope] };
  const system = nkeys.createAccount();
  const systemJwt = jwt(operator, system, 'SYS', { type: 'account', limits: most });
  await writeFile(
    join(nats.folder, 'accounts.conf'),
    `system_account: ${system.getPublicKey()}
resolver_preload: {
  ${account.getPublicKey()}: ${jwt(operator, account, 'loadline', claims)}
  ${system.getPublicKey()}: ${systemJwt}
}
`,
  );
  await nats.start(fileOf('operator.conf').replaceAll('/etc/nats', nats.folder));
  const rights = {
    pub: { allow: ['$SRV.PING.loadline-host', 'loadline.host.*.*.*', '$JS.API.>', '$JS.ACK.>'] },
    sub: { allow: ['loadline.conductor.>', `${conductorInbox}.>`] },
    resp: { max: 1, ttl: 120_000_000_000 },
  };
  const conductor = await as('conductor', {
    creds: credsFile(ada, jwt(account, ada, 'ada', { type: 'user', ...rights, ...unlimited })),
  });
  const hosts = [first, second].map(({ name }) => {
    const user = nkeys.createUser();
    const own = { type: 'user', issuer_account: account.getPublicKey() };
    return credsFile(user, jwt(role, user, name, own));
  });
  const [one, other] = [await as(first, { creds: hosts[0] ?? '' }), await as(second, { creds: hosts[1] ?? '' })];
  await playOnce(conductor, one, first);
  await assertApart(conductor, one, other);
});

test(
  'a bus that wants certificates lets in who has one, by a file of certificate and key, and a bus without TLS is not talked to by who wants it',
  long,
  async () => {
    const tls = selfSigned(nats.folder);
    const lines = fileOf('bus-apart.conf')
      .replaceAll('/etc/nats', nats.folder)
      .replace(/# (ca_file|verify)/g, '$1');
    const user = nkeys.createUser();
    const creds = new TextDecoder().decode(user.getSeed());
    const others = { LOADLINE_EU_1_NKEY: publicKey(), LOADLINE_EU_2_NKEY: publicKey() };
    await nats.start(lines, { LOADLINE_CONDUCTOR_NKEY: user.getPublicKey(), ...others });
    const url = `tls://localhost:${nats.port}`;
    await as('conductor', { creds, ca: tls.ca, certificate: tls.certificate }, url);
    await expect(as('conductor', { creds, ca: tls.ca }, url)).rejects.toThrow();
    await nats.stop();
    await nats.start();
    await expect(as('conductor', { ca: tls.ca }, url)).rejects.toThrow(/does not support 'tls'/);
  },
);

const publicKey = () => nkeys.createUser().getPublicKey();
const unlimited = { subs: -1, data: -1, payload: -1 };

type Pair = ReturnType<typeof nkeys.createUser>;

/** As nsc would write it (a JWT of NATS, version 2). */
function jwt(issuer: Pair, subject: Pair, name: string, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const claims = { jti: 'x', iat, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), name };
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ ...claims, nats: { version: 2, ...nats } })}`;
  return `${text}.${Buffer.from(issuer.sign(new TextEncoder().encode(text))).toString('base64url')}`;
}

function credsFile(user: Pair, token: string): string {
  const seed = new TextDecoder().decode(user.getSeed());
  return `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
}

/** A certificate for localhost that vouches for itself, for both sides. */
function selfSigned(folder: string): { readonly ca: string; readonly certificate: string } {
  const [certificate, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const words = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...words, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const ca = readFileSync(certificate, 'utf8');
  execFileSync('cp', [certificate, join(folder, 'ca.pem')]);
  return { ca, certificate: `${ca}${readFileSync(key, 'utf8')}` };
}
