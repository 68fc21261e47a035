/** Points as they will be sent, waiting, oldest first, in bounded memory: when there is no room the oldest go. */
export class TextQueue {
  private texts: string[] = [];
  private head = 0;
  private characters = 0;

  constructor(private readonly mostCharacters: number) {}

  get length(): number {
    return this.texts.length - this.head;
  }

  /** How many of the oldest had to go. */
  add(texts: readonly string[]): number {
    for (const text of texts) {
      this.texts.push(text);
      this.characters += text.length;
    }
    let gone = 0;
    while (this.characters > this.mostCharacters && this.length > 0) {
      this.shift();
      gone += 1;
    }
    return gone;
  }

  take(most: number, mostCharacters: number): readonly string[] {
    const taken: string[] = [];
    let characters = 0;
    while (this.length > 0 && taken.length < most && characters < mostCharacters) {
      const text = this.shift();
      taken.push(text);
      characters += text.length;
    }
    return taken;
  }

  private shift(): string {
    const text = this.texts[this.head] ?? '';
    this.head += 1;
    this.characters -= text.length;
    // Moving the rest now and then, not each time.
    if (this.head > 10_000 && this.head * 2 > this.texts.length) {
      this.texts = this.texts.slice(this.head);
      this.head = 0;
    }
    return text;
  }
}
