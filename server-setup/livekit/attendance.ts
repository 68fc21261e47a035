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

  /** Who has these names of the server is told, asked until it is told of all, and no longer than `withinMs`. */
  async met(sids: readonly string[], withinMs: number): Promise<void> {
    await this.#until(() => sids.every((sid) => this.#identities.has(sid)), withinMs);
  }

  /** Which of these have left by themselves, asked until it is all of them, and no longer than `withinMs`. */
  async leftOf(identities: readonly string[], withinMs: number): Promise<readonly string[]> {
    await this.#until(() => identities.every((one) => this.#left.has(one)), withinMs);
    return identities.filter((one) => this.#left.has(one));
  }

  async #until(isAll: () => boolean, withinMs: number): Promise<void> {
    if (isAll()) return;
    const inTime = AbortSignal.timeout(withinMs);
    while (!isAll() && !inTime.aborted) {
      await unlessAborted(inTime, new Promise<void>((resolve) => this.#waiting.push(resolve))).catch(() => undefined);
    }
  }
}
