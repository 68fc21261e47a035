import { createHmac } from 'node:crypto';
import {
  ConnectionQualityInfo,
  ConnectionQualityUpdate,
  DisconnectReason,
  ICEServer,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantPermission,
  ParticipantUpdate,
  RegionInfo,
  RegionSettings,
  StreamState,
  StreamStateInfo,
  StreamStateUpdate,
  SubscriptionPermissionUpdate,
} from '@livekit/protocol';
import { expect, test } from '@playwright/test';
import { accessToken } from './access-token.js';
import { offerOfAnswer, withoutSending, withSections } from './both-ways.js';
import { iceCandidateOf, iceServersOf } from './ice-words.js';
import { parseLiveKitUrl } from './livekit-url.js';
import { eventsOf } from './member-events.js';
import { streamsIn, tracksIn } from './offered-tracks.js';
import { refusedByHttp } from './refusals.js';
import { ownerOfRoom, roomNameOf } from './room-name.js';

test('an address says where participants and the room service are, with the usual ports', () => {
  expect(parseLiveKitUrl('livekit://10.0.0.5')).toMatchObject({
    signalUrl: 'ws://10.0.0.5:7880',
    serviceUrl: 'http://10.0.0.5:7880',
    host: '10.0.0.5',
    port: 7880,
  });
  expect(parseLiveKitUrl('livekit+wss://[::1]/rtc-behind/')).toMatchObject({
    signalUrl: 'wss://[::1]:443/rtc-behind',
    serviceUrl: 'https://[::1]:443/rtc-behind',
    host: '::1',
  });
  for (const [text, why] of [
    ['livekit://key:secret@host', 'come from the environment'],
    ['livekit://host?room=1', 'no use for what follows'],
    ['wss://host', 'it begins with none of'],
    ['livekit://', 'is not host'],
  ] as const) {
    expect(() => parseLiveKitUrl(text)).toThrow(expect.objectContaining({ why: expect.stringContaining(why) }));
  }
});

test('a token is signed by the secret, names who asks for what, and is valid for minutes', () => {
  const token = accessToken({ key: 'k', secret: 's' }, '1a', { room: 'r', roomJoin: true }, 5000);
  const [head = '', claims = '', signature] = token.split('.');
  expect(signature).toBe(createHmac('sha256', 's').update(`${head}.${claims}`).digest('base64url'));
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect(read).toEqual({ iss: 'k', sub: '1a', name: '1a', exp: 605, video: { room: 'r', roomJoin: true } });
});

test('whose a room is stands in its name, whatever the host is called', () => {
  const name = roomNameOf({ host: 'host-1.example', pid: 42 }, '3');
  expect(ownerOfRoom(name)).toEqual({ host: 'host-1.example', pid: 42 });
  expect(ownerOfRoom('loadline talk')).toBeUndefined();
});

test('what an offer sends has the name of its track, and what the server offers that of its participant', () => {
  const section = (kind: string, ...lines: string[]) => [`m=${kind} 9 UDP/TLS/RTP/SAVPF 96`, ...lines, ''].join('\r\n');
  const own = `v=0\r\n${section('audio', 'a=msid:- one', 'a=sendonly')}${section('video', 'a=recvonly')}`;
  expect(tracksIn(own)).toEqual([{ kind: 'audio', cid: 'one' }]);
  const at0 = section('video', 'a=msid:- two', 'a=sendonly').replace(' 9 ', ' 0 ');
  expect(tracksIn(own + at0)).toEqual([{ kind: 'audio', cid: 'one' }]);
  // It shares the first one's transport (RFC 9143), and is sent all the same.
  expect(tracksIn(`${own}${at0}a=bundle-only\r\n`)).toContainEqual({ kind: 'video', cid: 'two' });
  const theirs = [
    'v=0\r\n',
    section('audio', 'a=mid:0', 'a=msid:PA_x|camera TR_1', 'a=sendonly'),
    section('video', 'a=mid:1', 'a=msid:PA_y TR_2', 'a=sendrecv'),
    section('video', 'a=mid:2', 'a=msid:PA_z TR_3', 'a=inactive'),
    section('application', 'a=mid:3'),
  ].join('');
  expect(streamsIn(theirs)).toEqual([
    { mid: '0', kind: 'audio', sid: 'PA_x', trackSid: 'TR_1' },
    { mid: '1', kind: 'video', sid: 'PA_y', trackSid: 'TR_2' },
  ]);
});

test('the end of candidates and what is none are passed over, and relays alone are used', () => {
  expect(iceCandidateOf('{"candidate":"candidate:1","sdpMid":"0"}')).toEqual({
    candidate: 'candidate:1',
    sdpMid: '0',
    sdpMLineIndex: null,
  });
  for (const text of ['{"candidate":""}', 'no json', '{}']) expect(iceCandidateOf(text)).toBeUndefined();
  const servers = [
    new ICEServer({ urls: ['stun:stun.example:19302'], username: '', credential: '' }),
    new ICEServer({ urls: ['turn:t.example', 'stun:t.example'], username: 'u', credential: 'c' }),
  ];
  expect(iceServersOf(servers)).toEqual([{ urls: ['turn:t.example'], username: 'u', credential: 'c' }]);
});

test('a refusal repeats no token that the server repeats', () => {
  const { message, why } = refusedByHttp(
    'join',
    'ws://h',
    401,
    'invalid token: eyJh.eyJp.sig-1, error: token is expired',
  );
  expect(message).toBe('The LiveKit refused "join". The token has expired.');
  expect(why).toBe('HTTP 401: invalid token: ***, error: token is expired');
});

test('quality of the own connection and paused pictures are news; the quality of others is told to them', () => {
  const told = {
    sid: 'PA_a',
    leg: '1a',
    attendance: { identityOf: (sid: string) => (sid === 'PA_b' ? '1b' : undefined) },
  };
  const updates = ['PA_a', 'PA_b'].map(
    (participantSid) => new ConnectionQualityInfo({ participantSid, quality: 0, score: 2 }),
  );
  const quality = eventsOf({ case: 'connectionQuality', value: new ConnectionQualityUpdate({ updates }) }, told, 7);
  expect(quality).toEqual([{ kind: 'other', atMs: 7, leg: '1a', name: 'connection-quality', detail: 'poor' }]);
  const streamStates = [StreamState.ACTIVE, StreamState.PAUSED].map(
    (state) => new StreamStateInfo({ participantSid: 'PA_b', state }),
  );
  const paused = eventsOf({ case: 'streamStateUpdate', value: new StreamStateUpdate({ streamStates }) }, told, 7);
  expect(paused).toMatchObject([{ name: 'picture-paused', detail: 'that of 1b' }]);
});

test('what a participant may do is told when it changes, and where it is sent on is told and not followed', () => {
  const told = { sid: 'PA_a', leg: '1a', attendance: { identityOf: () => '1b' } };
  const permission = new ParticipantPermission({ canPublish: false, canSubscribe: true });
  const participants = ['PA_a', 'PA_b'].map((sid) => new ParticipantInfo({ sid, permission }));
  const changed = eventsOf({ case: 'update', value: new ParticipantUpdate({ participants }) }, told, 7);
  const detail = 'it may not publish, and may subscribe';
  expect(changed).toEqual([{ kind: 'other', atMs: 7, leg: '1a', name: 'permission', detail }]);
  const value = new SubscriptionPermissionUpdate({ participantSid: 'PA_b', trackSid: 'TR_b', allowed: false });
  const refused = eventsOf({ case: 'subscriptionPermissionUpdate', value }, told, 7);
  expect(refused).toMatchObject([{ detail: 'TR_b of 1b: not allowed' }]);
  const regions = new RegionSettings({ regions: [new RegionInfo({ region: 'otokyo', url: 'wss://elsewhere' })] });
  const leave = { reason: DisconnectReason.MIGRATION, action: LeaveRequest_Action.RECONNECT, regions };
  expect(eventsOf({ case: 'leave', value: new LeaveRequest(leave) }, told, 7)).toMatchObject([
    {
      kind: 'failed',
      detail:
        'sent away: MIGRATION: the server hands it on to another one, and is asked to connect again (regions: otokyo)',
    },
  ]);
});

test('an offer gets as many receiving sections more as are asked for, each with a name of its own in the bundle', () => {
  const offer = [
    'v=0\r\no=- 7 9007199254740993 IN IP4 0.0.0.0\r\na=group:BUNDLE 0 1\r\n',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\na=sendrecv\r\na=msid:- mic\r\na=ssrc:1 cname:x\r\na=rtpmap:111 opus/48000/2\r\n',
    'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:1\r\na=sendonly\r\na=rid:q send\r\na=simulcast:send q\r\na=rtpmap:96 VP8/90000\r\n',
  ].join('');
  const [session = '', ...sections] = withSections(offer, { audio: 1, video: 2 }).split(/^(?=m=)/m);
  expect(session).toBe('v=0\r\no=- 7 9007199254740994 IN IP4 0.0.0.0\r\na=group:BUNDLE 0 1 2 3 4\r\n');
  expect(sections.slice(2)).toEqual([
    'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:2\r\na=recvonly\r\na=rtpmap:111 opus/48000/2\r\n',
    'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:3\r\na=recvonly\r\na=rtpmap:96 VP8/90000\r\n',
    'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:4\r\na=recvonly\r\na=rtpmap:96 VP8/90000\r\n',
  ]);
  expect(withSections(offer, { audio: 0, video: 0 })).toBe(offer);
});

test('an answer is read as an offer of the same, or as one in which nothing comes yet', () => {
  const answer = 'a=setup:passive\r\nm=audio 9\r\na=sendrecv\r\nm=video 9\r\na=sendonly\r\n';
  expect(withoutSending(answer)).toBe('a=setup:passive\r\nm=audio 9\r\na=recvonly\r\nm=video 9\r\na=inactive\r\n');
  expect(offerOfAnswer(answer)).toBe(answer.replace('passive', 'actpass'));
});
