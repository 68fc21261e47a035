import type { Plan } from '../model/plan.js';
import type { Scenario } from '../model/scenario.js';
import type { ServerAbilities } from '../model/server-abilities.js';
import type { Voice } from '../model/stimulus.js';
import type { FleetOptions } from '../probes/fleet.js';

/**
 * The voice of a run's encoded and native probes: the light one where payloads pass, until a trial shows otherwise. Its
 * padding has room for what its sender says of it. Who answers hears the ordinary one, as of a browser.
 */
export class SentVoice {
  private readonly mayBeLight: boolean;
  private isLight: boolean;

  constructor({ passesPayloads }: Pick<ServerAbilities, 'passesPayloads'>, scenario: Scenario) {
    const isAnswered = scenario.sessions(scenario.baselineSize).some(({ shape }) => shape === 'answer');
    this.mayBeLight = passesPayloads === true && !isAnswered;
    this.isLight = this.mayBeLight;
  }

  /** Undefined where nothing was encoded before. */
  of({ players }: Pick<Plan, 'players'>): Voice | undefined {
    const hasChoice = players.kind === 'encoded' ? players.fullShare < 1 : players.kind === 'native' && this.mayBeLight;
    if (!hasChoice) return undefined;
    return this.isLight ? 'light' : 'ordinary';
  }

  /** Of a fleet. */
  asked(plan: Pick<Plan, 'players'>): Pick<FleetOptions, 'encoded' | 'lightVoice'> {
    const { players } = plan;
    return {
      ...(players.kind === 'encoded' ? { encoded: { fullShare: players.fullShare } } : {}),
      ...(this.of(plan) === 'light' ? { lightVoice: true } : {}),
    };
  }

  giveUp(): void {
    this.isLight = false;
  }
}
