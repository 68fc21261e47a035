import { ParticipantInfo } from '@livekit/protocol';
import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { Attendance } from './attendance.js';
import { StreamPlaces } from './stream-places.js';

const leg: Leg = { id: '1a', sends: [], receives: ['audio'] };
const offer = ['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=mid:0', 'a=sendonly', 'a=msid:PA_b|audio TR_b', ''].join(
  '\r\n',
);

test('whose a stream is may be told after the description that has it', async () => {
  const attendance = new Attendance();
  const reading = new StreamPlaces({ attendance, set: () => undefined }, leg).read(offer);
  attendance.note([new ParticipantInfo({ sid: 'PA_b', identity: '1b' })]);
  expect((await reading).places).toEqual([{ mid: '0', stream: '1b' }]);
});
