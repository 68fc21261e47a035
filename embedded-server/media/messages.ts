import { DataLink } from '../../rtp/data-link.js';
import type { Clock } from '../../rtp/egress.js';
import type { Link } from '../../rtp/link.js';
import type { Imitation } from '../imitation.js';
import { HeldBack, holdingOf, isHolding } from './held-back.js';

interface Message {
  readonly label: string;
  readonly data: Buffer | string;
}

interface MessagesOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly imitation: Imitation;
  /** To whom what comes is handed on. */
  readonly sinks: () => readonly { readonly messages: Messages | undefined }[];
}

/** Messages of one endpoint: what its browser sends goes to the browsers of its sinks, on channels of that label. */
export class Messages {
  readonly #data: DataLink;
  readonly #held: HeldBack<Message> | undefined;
  #count = 0;

  constructor({ link, clock, imitation, sinks }: MessagesOptions) {
    const handOn = ({ label, data }: Message): void => {
      for (const { messages } of sinks()) messages?.send(label, data);
    };
    const holding = holdingOf(imitation, 'data');
    this.#held = isHolding(holding) ? new HeldBack(clock, holding, handOn) : undefined;
    this.#data = new DataLink(link.dtls, (label, data) => {
      this.#count += 1;
      const { dropsMessages } = imitation;
      if (dropsMessages !== undefined && this.#count % dropsMessages === 0) return;
      if (this.#held) this.#held.take({ label, data });
      else handOn({ label, data });
    });
  }

  send(label: string, data: Buffer | string): void {
    this.#data.send(label, data);
  }

  async close(): Promise<void> {
    this.#held?.close();
    await this.#data.close();
  }
}
