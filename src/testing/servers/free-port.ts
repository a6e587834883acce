import { createServer } from 'node:net';

/**
 * Returns a free loopback port below the range of ephemeral ports, so that it remains free for a
 * while.
 * The ports at these `offsets` from it are free too.
 */
export async function freePort(offsets: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 12_000 + Math.floor(Math.random() * 9_000);
    const taken = await Promise.all([0, ...offsets].map((distance) => isTaken(port + distance)));
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
