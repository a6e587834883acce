import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { CREDENTIALS, someIds } from './alert-requests.ts';
import { type Latency, latencyOf, type Send, sender, type Target } from './http-load.ts';
import { load, type Say } from './load.ts';
import { residentMegabytes, watchMemory } from './memory.ts';
import { processorMilliseconds } from './processor-time.ts';
import type { Figure } from './report.ts';

const LISTENERS = 500;
const CHANGES_PER_SECOND = 100;
const ALERTS = 2000;
/** The field of a frame, not the log entry of the change, which quotes it otherwise. */
const MARK = '"message":"socket bench ';

/** Measures how long changes take to reach each of the listeners, and how much memory that takes. */
export async function measureSockets(seconds: number, now: number, say: Say): Promise<Figure[]> {
  say(`${LISTENERS} websockets, ${CHANGES_PER_SECOND} changes/s`);
  const program = await spawnProgram({ flags: ['--demo=users'] });
  const target = { base: program.alerts, headers: CREDENTIALS };
  const { send, close } = sender(target, 8);
  const pid = program.child.pid ?? 0;
  try {
    await load(target, 0, ALERTS, now, say);
    const ids = await someIds(target);
    // What the changes themselves take is no cost of the listeners.
    await change(send, ids, seconds);
    const alone = processorMilliseconds(pid);
    const before = residentMegabytes(pid);
    const memory = watchMemory(pid);
    const delivery = await deliver(target, send, ids, seconds);
    memory.stop();
    const growth = memory.peak() - before;
    say(
      `  p50 ${delivery.p50.toFixed(1)}, max ${delivery.max.toFixed(0)} ms; ${processorMilliseconds(pid) - alone} ms of processor time in ${seconds} s`,
    );
    const name = `${LISTENERS} websockets, ${CHANGES_PER_SECOND} changes/s`;
    return [
      { name: `${name}: delivery, p99`, value: delivery.p99, unit: 'ms', goal: 200 },
      { name: 'the same, growth of RSS', value: growth, unit: 'MB', goal: 100 },
    ];
  } finally {
    close();
    await program.stop();
  }
}

/** Changes alerts to many listeners. Throws when a frame is lost. */
async function deliver(target: Target, send: Send, ids: readonly string[], seconds: number): Promise<Latency> {
  const login = await send('POST', '/api/v1/auth/login', JSON.stringify({ user: 'admin', password: 'admin' }));
  const token = JSON.parse(login.body).api_response.app_token as string;
  const times: number[] = [];
  const received = (data: Buffer) => {
    const at = data.indexOf(MARK);
    if (at === -1) return;
    const sent = Number.parseFloat(data.toString('latin1', at + MARK.length, at + MARK.length + 24));
    times.push(performance.now() - sent);
  };
  const opened = Array.from({ length: LISTENERS }, () => listen(target.base, token, received));
  const listeners = await Promise.all(opened);
  const changes = await change(send, ids, seconds);
  const expected = changes * LISTENERS;
  for (let waited = 0; times.length < expected && waited < 10_000; waited += 100) await sleep(100);
  for (const listener of listeners) listener.terminate();
  if (times.length < expected) throw new Error(`${expected - times.length} frames did not reach their listeners`);
  return latencyOf(times);
}

/** Changes alerts at the rate; resolves with their number when all are answered. */
async function change(send: Send, ids: readonly string[], seconds: number): Promise<number> {
  const changes = seconds * CHANGES_PER_SECOND;
  const answers: Promise<unknown>[] = [];
  const started = performance.now();
  for (let number = 0; number < changes; number += 1) {
    await sleep(Math.max(0, started + (number * 1000) / CHANGES_PER_SECOND - performance.now()));
    const body = JSON.stringify([['SET', 'message', `socket bench ${performance.now()}`]]);
    answers.push(send('PUT', `/api/v1/hit/${ids[number % ids.length]}/update`, body));
  }
  await Promise.all(answers);
  return changes;
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
