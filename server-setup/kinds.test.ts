import { expect, test } from '@playwright/test';
import { kindAt } from './kind-at.js';
import { serverKinds } from './kinds.js';

for (const [text, todo] of [
  ['ws://10.0.0.5:8188', 'give --server janus://10.0.0.5:8188, or --server kurento://10.0.0.5:8188 if it is a Kurento'],
  ['WS://[::1]:8188/', "give --server 'janus://[::1]:8188', or --server 'kurento://[::1]:8188' if it is a Kurento"],
  ['ws://a:9000/janus', 'give --server janus://a:9000/janus, or --server kurento://a:9000/janus if it is a Kurento'],
  ['wss://media.example/janus', 'give --server janus+wss://media.example:443/janus'],
  ['ws://a:7880', 'give --server livekit://a:7880, or --server kurento://a:7880 if it is a Kurento'],
  ['ws://a:7880/rtc', 'give --server livekit://a:7880, or --server kurento://a:7880/rtc if it is a Kurento'],
  ['wss://mine.livekit.cloud', 'give --server livekit+wss://mine.livekit.cloud'],
] as const) {
  test(`${text} is not taken for a Kurento: it is refused with the scheme that was meant`, () => {
    expect(() => kindAt(text, serverKinds)).toThrow(expect.objectContaining({ code: 'E_SERVER_URL', todo }));
    const written = /give --server '?(\S+?)'?(?:,|$)/.exec(todo)?.[1] ?? '';
    expect(['janus', 'livekit']).toContain(kindAt(written, serverKinds).name);
  });
}

test('a Kurento is found at any address of its own, also on the usual port of another', () => {
  for (const text of [
    'kurento://a:8188',
    'kurento://a:7880/janus',
    'ws://a:8188/kurento',
    'ws://a:8888/kurento',
    'wss://a:8188',
    'wss://livekit.example/kurento',
  ])
    expect(kindAt(text, serverKinds).name, text).toBe('kurento');
});
