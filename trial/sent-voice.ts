import type { Plan } from '../model/plan.js';
import type { PlayersOf } from '../model/players.js';
import type { ServerAbilities } from '../model/server-abilities.js';
import type { Voice } from '../model/stimulus.js';
import type { EncodedChoice } from '../probes/fleet.js';

/** The voice of a run's encoded probes: the light one where payloads pass, until a trial shows otherwise. */
export class SentVoice {
  private isLight: boolean;

  constructor({ passesPayloads }: Pick<ServerAbilities, 'passesPayloads'>) {
    this.isLight = passesPayloads === true;
  }

  /** Undefined where nothing was encoded before. */
  of({ players }: Plan): Voice | undefined {
    if (players.kind !== 'encoded' || players.fullShare >= 1) return undefined;
    return this.isLight ? 'light' : 'ordinary';
  }

  choice({ fullShare }: PlayersOf<'encoded'>): EncodedChoice {
    return this.isLight ? { fullShare, lightVoice: true } : { fullShare };
  }

  giveUp(): void {
    this.isLight = false;
  }
}
