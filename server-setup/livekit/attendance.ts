import type { ParticipantInfo } from '@livekit/protocol';
import { DisconnectReason, ParticipantInfo_State } from '@livekit/protocol';
import { unlessAborted } from '../../host/bounded-wait.js';

/** Who is in a room, as one participant is told: whose a server's name is, and who left by itself. */
export class Attendance {
  readonly #identities = new Map<string, string>();
  readonly #left = new Set<string>();
  #waiting: (() => void)[] = [];

  note(participants: readonly ParticipantInfo[]): void {
    for (const { sid, identity, state, disconnectReason } of participants) {
      this.#identities.set(sid, identity);
      if (state !== ParticipantInfo_State.DISCONNECTED) this.#left.delete(identity);
      else if (disconnectReason === DisconnectReason.CLIENT_INITIATED) this.#left.add(identity);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  identityOf(sid: string): string | undefined {
    return this.#identities.get(sid);
  }

  /** Which of these have left by themselves, asked until it is all of them, and no longer than `withinMs`. */
  async leftOf(identities: readonly string[], withinMs: number): Promise<readonly string[]> {
    const inTime = AbortSignal.timeout(withinMs);
    const isAll = () => identities.every((one) => this.#left.has(one));
    while (!isAll() && !inTime.aborted) {
      await unlessAborted(inTime, new Promise<void>((resolve) => this.#waiting.push(resolve))).catch(() => undefined);
    }
    return identities.filter((one) => this.#left.has(one));
  }
}
