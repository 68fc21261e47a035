import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way over TCP to a port of this machine that can be cut and made slow, as a network between two machines. */
export class CuttableWay {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private delayMs = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async to(port: number): Promise<CuttableWay> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const way = new CuttableWay(server, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', (near) => way.join(near, connect(port, '127.0.0.1')));
    return way;
  }

  /** From now on nothing comes through, and nobody is told: what is sent meanwhile waits, as TCP sends it again. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause();
  }

  mend(): void {
    this.isCut = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Each thing that is sent arrives so much later. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      if (this.isCut) from.pause();
      let before: Promise<unknown> = Promise.resolve();
      from.on('data', (chunk) => {
        const arrives = this.delayMs === 0 ? undefined : sleep(this.delayMs);
        before = before.then(() => arrives).then(() => to.writable && to.write(chunk));
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
