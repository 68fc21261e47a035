/** Something that happens once, and can be waited for. */
export class Moment {
  readonly happened: Promise<void>;
  happen: () => void = () => undefined;

  constructor() {
    this.happened = new Promise((resolve) => {
      this.happen = resolve;
    });
  }
}
