import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Latency, latencyOf, sender, type Target } from './http-load.ts';
import { residentMegabytes, watchMemory } from './memory.ts';

const LISTENERS = 500;
const CHANGES_PER_SECOND = 100;
/** The field of a frame, not the log entry of the change, which quotes it otherwise. */
const MARK = '"message":"socket bench ';

/** Measures how long changes take to reach each of the listeners, and how much memory that takes. */
export async function measureSockets(
  target: Target,
  pid: number,
  ids: readonly string[],
  seconds: number,
  count = LISTENERS,
): Promise<{ readonly delivery: Latency; readonly growth: number; readonly lost: number }> {
  const { send, close } = sender(target, 8);
  const login = await send('POST', '/api/v1/auth/login', JSON.stringify({ user: 'admin', password: 'admin' }));
  const token = JSON.parse(login.body).api_response.app_token as string;
  const before = residentMegabytes(pid);
  const memory = watchMemory(pid);
  const times: number[] = [];
  const listeners = await Promise.all(
    Array.from({ length: count }, () =>
      listen(target.base, token, (data) => {
        const at = data.indexOf(MARK);
        if (at === -1) return;
        const sent = Number.parseFloat(data.toString('latin1', at + MARK.length, at + MARK.length + 24));
        times.push(performance.now() - sent);
      }),
    ),
  );
  const changes = seconds * CHANGES_PER_SECOND;
  const answers: Promise<unknown>[] = [];
  const started = performance.now();
  for (let number = 0; number < changes; number += 1) {
    await sleep(Math.max(0, started + (number * 1000) / CHANGES_PER_SECOND - performance.now()));
    const body = JSON.stringify([['SET', 'message', `socket bench ${performance.now()}`]]);
    answers.push(send('PUT', `/api/v1/hit/${ids[number % ids.length]}/update`, body));
  }
  await Promise.all(answers);
  await sleep(2_000);
  for (const listener of listeners) listener.terminate();
  memory.stop();
  close();
  return {
    delivery: latencyOf(times),
    growth: memory.peak() - before,
    lost: changes * count - times.length,
  };
}

/** Resolves once the listener is admitted. */
function listen(base: string, token: string, received: (data: Buffer) => void): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/socket/v1/connect`);
    socket.on('open', () => socket.send(token));
    socket.once('message', () => {
      socket.on('message', received);
      resolve(socket);
    });
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new Error(`a listener was closed: ${code} ${reason}`)));
  });
}
