/** Lines that wait, oldest first, in bounded memory: when there is no room the oldest go. */
export class LineQueue {
  private lines: string[] = [];
  private head = 0;
  private characters = 0;

  constructor(private readonly mostCharacters: number) {}

  get length(): number {
    return this.lines.length - this.head;
  }

  /** How many of the oldest had to go. */
  add(lines: readonly string[]): number {
    for (const line of lines) {
      this.lines.push(line);
      this.characters += line.length;
    }
    let gone = 0;
    while (this.characters > this.mostCharacters && this.length > 0) {
      this.shift();
      gone += 1;
    }
    return gone;
  }

  take(mostLines: number, mostCharacters: number): readonly string[] {
    const taken: string[] = [];
    let characters = 0;
    while (this.length > 0 && taken.length < mostLines && characters < mostCharacters) {
      const line = this.shift();
      taken.push(line);
      characters += line.length;
    }
    return taken;
  }

  private shift(): string {
    const line = this.lines[this.head] ?? '';
    this.head += 1;
    this.characters -= line.length;
    // Moving the rest now and then, not each time.
    if (this.head > 10_000 && this.head * 2 > this.lines.length) {
      this.lines = this.lines.slice(this.head);
      this.head = 0;
    }
    return line;
  }
}
