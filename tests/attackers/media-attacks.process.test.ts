import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { classes, Message, methods, type RTCCertificate, RTCDtlsTransport } from 'werift';
import { soon } from '../soon.js';
import { aCertificate, FarEnd, type OwnDtls, withAnotherKey } from './far-end.js';
import { type Victim, victims } from './victims.js';

const timeout = 8000;
/** What is to be seen not to happen: loopback takes a thousandth of it, and a busy machine some. */
const noneMs = 400;

/** Somebody on a port of its own. */
async function aSocket() {
  const socket = createSocket('udp4');
  const heard: Buffer[] = [];
  socket.on('message', (datagram) => void heard.push(datagram));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  const send = (datagram: Buffer, to: number) => socket.send(datagram, to, '127.0.0.1');
  return { port, heard, send, close: () => socket.close() };
}

let honest: RTCCertificate;
let other: RTCCertificate;
test.beforeAll(async () => {
  await RTCDtlsTransport.SetupCertificate();
  [honest, other] = await Promise.all([aCertificate(), aCertificate()]);
});

/**
 * Messages of a handshake, each in a record of its own, in the turn of none: those of the other end, under each number,
 * and a certificate before any hello.
 */
function outOfTurn(role: 'client' | 'server'): readonly Buffer[] {
  const wrong = (role === 'client' ? [1, 15, 16] : [2, 12, 14]).flatMap((type) =>
    [0, 1, 2, 3, 4, 5].map((nth) => [type, nth] as const),
  );
  return [...wrong, [11, 0] as const].map(([type, nth]) => {
    const record = Buffer.from('16fefd00000000000000000014000000080000000000000008', 'hex');
    record.writeUInt8(type, 13);
    record.writeUInt16BE(nth, 17);
    return Buffer.concat([record, Buffer.alloc(8, 1)]);
  });
}

const isRequest = (datagram: Buffer): boolean => datagram.readUInt16BE(0) === 1;
const isDtls = (datagram: Buffer): boolean => datagram.readUInt8(0) === 22;
const connects = (victim: Victim) =>
  soon(() => victim.happened.find((one) => one !== 'ice'), { timeout }).toBe('connected');

/** Checks that nominate, as somebody writes them who knows the port and perhaps the names, and no password. */
function unsignedChecks({ iceUfrag }: Victim['told'], peer: string): readonly Buffer[] {
  const names = ['a:b', `${iceUfrag}:${peer}`, `${iceUfrag}:b`];
  const check = (name: string): Message =>
    new Message(methods.BINDING, classes.REQUEST)
      .setAttribute('USERNAME', name)
      .setAttribute('PRIORITY', 2_000_000_000)
      .setAttribute('ICE-CONTROLLING', 1n)
      .setAttribute('USE-CANDIDATE', null) as Message;
  const signed = (name: string, password: string): Buffer => {
    const message = check(name).addMessageIntegrity(Buffer.from(password));
    message.addFingerprint();
    return message.bytes;
  };
  return names.flatMap((name) => [check(name).bytes, signed(name, ''), signed(name, 'a guess at the password')]);
}

for (const { name, role, open } of victims) {
  const isControlling = role === 'client';

  test(`${name}: who knows the port and the names, and no password, is not answered and not nominated`, async () => {
    const [victim, attacker, silent] = [await open(), await aSocket(), await aSocket()];
    const told = { iceUfrag: 'peer', icePwd: 'a password of the peer', fingerprints: honest.getFingerprints() };
    victim.connect(told, silent.port);
    await soon(() => silent.heard.length, { timeout }).toBeGreaterThan(0);
    for (const datagram of unsignedChecks(victim.told, told.iceUfrag)) attacker.send(datagram, victim.port);
    // And the answers to the checks that the honest peer got.
    for (const { length } of [...silent.heard]) expect(length).toBeGreaterThan(20);
    for (const request of silent.heard) {
      const forged = new Message(methods.BINDING, classes.RESPONSE, request.subarray(8, 20));
      forged.setAttribute('XOR-MAPPED-ADDRESS', ['127.0.0.1', victim.port]);
      silent.send(forged.bytes, victim.port);
      forged.addMessageIntegrity(Buffer.from('a guess'));
      silent.send(forged.bytes, victim.port);
    }
    await pause(noneMs);
    expect(attacker.heard).toEqual([]);
    expect(victim.happened).toEqual([]);
    await victim.close();
    for (const socket of [attacker, silent]) socket.close();
  });

  /** What befalls a victim whose far end has overheard the descriptions, and is in the place of the honest peer. */
  const befalls = async (certificate: RTCCertificate, onDtls?: (dtls: OwnDtls) => void) => {
    const victim = await open();
    const end = await FarEnd.open(certificate, honest, onDtls);
    try {
      void end.connect(victim, role, isControlling);
      await soon(() => victim.happened.some((one) => one === 'connected' || one.startsWith('failed')), {
        timeout,
      }).toBe(true);
      return victim.happened;
    } finally {
      await Promise.all([victim.close(), end.close()]);
    }
  };

  test(`${name}: who has the certificate and not its key gets no keys for media`, async () => {
    expect(await befalls(honest)).toEqual(['ice', 'connected']);
    const proof = role === 'client' ? 'ServerKeyExchange' : 'CertificateVerify';
    expect(await befalls(withAnotherKey(honest, other))).toEqual([
      'ice',
      `failed: the signature of DTLS's ${proof} is not of the far end's certificate`,
    ]);
  });

  test(`${name}: a Finished of other messages is refused`, async () => {
    const forging = ({ cipher }: OwnDtls) => {
      cipher.verifyData = () => Buffer.alloc(12);
    };
    expect(await befalls(honest, forging)).toEqual([
      'ice',
      "failed: the far end's DTLS Finished is of another handshake",
    ]);
  });

  test(`${name}: a Finished in the clear has not come`, async () => {
    const victim = await open();
    const end = await FarEnd.open(honest, honest, ({ cipher }) => {
      cipher.encryptPacket = (record) => {
        record.recordLayerHeader.epoch = 0;
        return record;
      };
    });
    void end.connect(victim, role, isControlling);
    await soon(() => victim.happened, { timeout }).toEqual(['ice']);
    await pause(noneMs);
    expect(victim.happened).toEqual(['ice']);
    await Promise.all([victim.close(), end.close()]);
  });

  test(`${name}: who repeats a check of the far end's cannot end a handshake from there`, async () => {
    const [victim, end, thief] = [await open(), await FarEnd.open(honest, honest), await aSocket()];
    end.sendsThrough((datagram, send) => {
      send(datagram);
      if (isRequest(datagram)) thief.send(datagram, victim.port);
    });
    const beat = setInterval(() => {
      for (const record of outOfTurn(role)) thief.send(record, victim.port);
    }, 10);
    try {
      void end.connect(victim, role, isControlling);
      await connects(victim);
    } finally {
      clearInterval(beat);
      await Promise.all([victim.close(), end.close()]);
      thief.close();
    }
  });

  test(`${name}: messages out of turn end no handshake, even with the far end's address`, async () => {
    const [victim, end] = [await open(), await FarEnd.open(honest, honest)];
    end.sendsThrough((datagram, send) => {
      if (isDtls(datagram)) for (const record of outOfTurn(role)) send(record);
      send(datagram);
    });
    try {
      void end.connect(victim, role, isControlling);
      await connects(victim);
    } finally {
      await Promise.all([victim.close(), end.close()]);
    }
  });

  test(`${name}: a ClientHello before our check was answered waits for that, and need not come again`, async () => {
    test.skip(role === 'client', 'it says hello itself');
    const [victim, end] = [await open(), await FarEnd.open(honest, honest)];
    const hellos: string[] = [];
    const answers: (() => void)[] = [];
    end.sendsThrough((datagram, send) => {
      if (!isDtls(datagram)) {
        if (isRequest(datagram) || hellos.length > 0) send(datagram);
        else answers.push(() => send(datagram));
        return;
      }
      send(datagram);
      if (datagram.readUInt8(13) !== 1) return;
      hellos.push(`${datagram.readUInt16BE(17)}`);
      // They leave when it has come.
      if (hellos.length > 1) return;
      setTimeout(() => {
        for (const answer of answers) answer();
      }, 20);
    });
    try {
      void end.connect(victim, role, isControlling);
      await connects(victim);
      // One without a cookie, and one with it.
      expect(hellos).toEqual(['0', '1']);
      expect(answers).not.toEqual([]);
    } finally {
      await Promise.all([victim.close(), end.close()]);
    }
  });

  test(`${name}: a packet counts once, whoever sends it again, and nothing goes to who only does that`, async () => {
    const [victim, end, thief] = [await open(), await FarEnd.open(honest, honest), await aSocket()];
    await end.connect(victim, role, isControlling);
    await soon(() => victim.happened, { timeout }).toContain('connected');
    const sent = [end.media(1), end.control(), end.media(2), end.control()];
    for (const datagram of sent) await end.send(datagram);
    await soon(() => ({ ...victim.received }), { timeout }).toEqual({ media: 2, control: 2 });
    for (const datagram of sent) {
      await end.send(datagram);
      thief.send(datagram, victim.port);
    }
    // One that never came, from where nobody was asked whether it reaches the far end: it is authentic, and no way.
    thief.send(end.media(3), victim.port);
    await soon(() => victim.received.media, { timeout }).toBe(3);
    victim.sendControl(Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 8]));
    await pause(noneMs);
    expect(victim.received).toEqual({ media: 3, control: 2 });
    expect(thief.heard).toEqual([]);
    await Promise.all([victim.close(), end.close()]);
    thief.close();
  });

  test(`${name}: records of DTLS make no link look alive whose far end is gone`, async () => {
    test.skip(name === 'the embedded server', 'it watches no far end');
    const [victim, end, thief] = [await open(), await FarEnd.open(honest, honest), createSocket('udp4')];
    await end.connect(victim, role, isControlling);
    await soon(() => victim.happened, { timeout }).toContain('connected');
    const { port } = end;
    await end.close();
    thief.bind(port, '127.0.0.1');
    const record = Buffer.from('16fefd0000000000000000000c00000000000000000000000000', 'hex');
    const beat = setInterval(() => thief.send(record, victim.port, '127.0.0.1'), 200);
    await soon(() => victim.happened, { timeout: 12_000 }).toContain('disconnected');
    clearInterval(beat);
    thief.close();
    await victim.close();
  });
}
