import { expect, test } from '@playwright/test';
import { isFinished, readCandidate, readDescription, refusalIn } from './ant-words.js';

const stream = 'stream1';
const where = 'ws://host:5080/live/websocket';

test('the documented descriptions and candidates are read, and those of other streams are not', () => {
  const offer = { command: 'takeConfiguration', streamId: stream, type: 'offer', sdp: 'v=0' };
  expect(readDescription(offer, stream, 'offer')).toBe('v=0');
  expect(readDescription(offer, stream, 'answer')).toBeUndefined();
  expect(readDescription(offer, 'stream2', 'offer')).toBeUndefined();
  const candidate = {
    command: 'takeCandidate',
    streamId: stream,
    label: 1,
    id: '1',
    candidate: 'candidate:1 1 udp 1 h 9',
  };
  const read = { candidate: candidate.candidate, sdpMid: '1', sdpMLineIndex: 1 };
  expect(readCandidate(candidate, stream)).toEqual(read);
  // As text, which its reference has it as, too.
  expect(readCandidate({ ...candidate, label: '1' }, stream)).toEqual(read);
  expect(readCandidate(candidate, 'stream2')).toBeUndefined();
  expect(readCandidate(offer, stream)).toBeUndefined();
});

test('a stream has ended when its notification says so, with or without its name', () => {
  const finished = { command: 'notification', definition: 'publish_finished', streamId: stream, subscriberId: 's' };
  expect(isFinished(finished, stream)).toBe(true);
  expect(isFinished({ command: 'notification', definition: 'play_finished' }, stream)).toBe(true);
  expect(isFinished({ ...finished, streamId: 'stream2' }, stream)).toBe(false);
  expect(isFinished({ ...finished, definition: 'publish_started' }, stream)).toBe(false);
});

for (const [definition, means, isNotThere] of [
  ['no_stream_exist', 'A Community Edition says this of every stream', true],
  ['unauthorized_access', 'The token is wrong or missing.', false],
  ['not_allowed_unregistered_streams', 'takes streams alone that were made before', false],
  ['streamIdInUse', 'The stream is there already.', false],
  ['highResourceUsage', 'It is overloaded by its own limits', false],
  ['publishTimeoutError', 'No media came in its time', false],
  ['viewerLimitReached', 'as many viewers as it may have', false],
  ['notSetRemoteDescription', 'It cannot work with the description', false],
  ['no_codec_enabled_in_the_server', 'no codec switched on', false],
  ['somethingNew', '', false],
] as const) {
  test(`its error ${definition} is told in words${isNotThere ? ', and a viewer comes again' : ''}`, () => {
    const refusal = refusalIn({ command: 'error', definition, streamId: stream }, 'view', where);
    expect(refusal?.message).toContain(means);
    expect([refusal?.isNotThere, refusal?.why, refusal?.where]).toEqual([isNotThere, definition, where]);
  });
}

test('a stream that starts soon is waited for, and what is said beside it is no error', () => {
  const soon = { command: 'notification', definition: 'streaming_starts_soon', streamId: stream };
  expect(refusalIn(soon, 'view', where)?.isNotThere).toBe(true);
  const measured = { command: 'notification', definition: 'bitrateMeasurement', targetBitrate: 1 };
  for (const other of [measured, { command: 'start', streamId: stream }]) {
    expect(refusalIn(other, 'view', where)).toBeUndefined();
  }
});
