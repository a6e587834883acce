import { createServer } from 'node:net';

/**
 * A free port of loopback, below those that the system gives to outgoing connections, so that it stays free for a while. The ports at the
 * distances `besides` from it are free as well.
 */
export async function freePort(besides: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 12_000 + Math.floor(Math.random() * 9_000);
    const taken = await Promise.all([0, ...besides].map((distance) => isTaken(port + distance)));
    if (!taken.includes(true)) return port;
  }
  throw new Error('no free port was found in a hundred attempts');
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}
