import { expect, test } from '@playwright/test';
import { sectionsOf } from './offer-sections.js';

const section = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n`;
const offer = [
  section('v=0', 'a=group:BUNDLE 0 1 2'),
  section('m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:0', 'a=recvonly'),
  section('m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:1', 'a=sendonly', 'a=msid:2b track'),
  section('m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=mid:2', 'a=inactive'),
  section('m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:3'),
].join('');

test('the sections of an offer say who sends and whose stream it is, by its msid unless the server names the section', () => {
  expect(sectionsOf({ offer })).toEqual([
    { mid: '0', kind: 'video', serverSends: false, serverReceives: true, stream: undefined },
    { mid: '1', kind: 'video', serverSends: true, serverReceives: false, stream: '2b' },
    { mid: '2', kind: 'audio', serverSends: false, serverReceives: false, stream: undefined },
  ]);
  const named = (place: { readonly mid: string } | { readonly msid: string }) =>
    sectionsOf({ offer, places: [{ ...place, stream: 'screen' }] })[1]?.stream;
  expect([named({ mid: '1' }), named({ msid: '2b' }), named({ mid: '2' })]).toEqual(['screen', 'screen', '2b']);
});

test('a section that the server has given up sends nothing, and one that shares the port of another does', () => {
  const given = (port: number, ...more: readonly string[]) =>
    sectionsOf({
      offer: section('v=0') + section(`m=video ${port} UDP/TLS/RTP/SAVPF 96`, 'a=mid:0', 'a=sendonly', ...more),
    });
  const sends = [given(9), given(0), given(0, 'a=bundle-only')].map(([one]) => one?.serverSends);
  expect(sends).toEqual([true, false, true]);
});
