import { expect, test } from '@playwright/test';
import { outOfTime, refusedKinds } from './join-watch.js';

const sdp = (...sections: readonly string[]): string => ['v=0', 's=-', ...sections].join('\r\n');

test('a kind is refused where each of its sections is, and a section that only shares a transport is not', () => {
  expect(refusedKinds(sdp('m=audio 0 UDP/TLS/RTP/SAVPF 0', 'a=mid:0', 'm=video 9 UDP/TLS/RTP/SAVPF 96'))).toEqual([
    'audio',
  ]);
  expect(refusedKinds(sdp('m=video 0 UDP/TLS/RTP/SAVPF 96', 'm=video 9 UDP/TLS/RTP/SAVPF 96'))).toEqual([]);
  expect(refusedKinds(sdp('m=video 0 UDP/TLS/RTP/SAVPF 96', 'a=bundle-only'))).toEqual([]);
  expect(refusedKinds('')).toEqual([]);
});

test('that the server refuses what does not come is said of a probe that gets no media', () => {
  const join = { answerMs: 100, iceConnectedMs: 200, dtlsConnectedMs: 300 };
  const late = (description: string) => {
    const legs = [{ iceState: 'connected', connectionState: 'connected', description }];
    return outOfTime({ join, elapsedMs: 10_000, legs, missing: ['audio'] }).detail;
  };
  expect(late(sdp('m=audio 0 UDP/TLS/RTP/SAVPF 0'))).toBe(
    "connected, but no audio for 9.7 s: the server's description refuses audio",
  );
  expect(late(sdp('m=video 0 UDP/TLS/RTP/SAVPF 0'))).toBe('connected, but no audio for 9.7 s');
});
