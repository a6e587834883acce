import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment } from '../src/testing/spawn-program.ts';
import { CREDENTIALS, requests } from './alert-requests.ts';
import { latencyOf, sender, type Target } from './http-load.ts';
import { load, type Say, searchUnderLoad } from './load.ts';
import { processorMilliseconds } from './processor-time.ts';
import type { Figure } from './report.ts';
import type { RetentionMessage } from './retention-program.ts';

/** Deletes a fifth of the alerts, which are up to 90 days old. */
const DAYS = '72';
const RATE = 200;
/** Milliseconds between the load and the measure. */
const SETTLE = 3000;

export interface RetentionOptions {
  readonly dataFolder: string;
  /** Alerts that are stored, by their number. Those that the folder lacks are loaded first. */
  readonly alerts: number;
  readonly loaded: number;
  readonly now: number;
  readonly say: Say;
}

/** Measures deletions per second while 200 alerts a second arrive, and searches meanwhile. */
export async function measureRetention({ dataFolder, alerts, loaded, now, say }: RetentionOptions): Promise<Figure[]> {
  say('retention');
  const child = fork(join(import.meta.dirname, 'retention-program.ts'), {
    env: {
      ...programEnvironment(dataFolder),
      UV_THREADPOOL_SIZE: '12',
      SVC_SYSTEM_RETENTION_LIMIT_AMOUNT: DAYS,
      SVC_SYSTEM_RETENTION_ENABLED: 'false',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  try {
    const { address } = await received(child, 'address');
    const target: Target = { base: address, headers: CREDENTIALS };
    if (loaded < alerts) {
      await load(target, loaded, alerts, now, say);
      // Searches apply what was loaded last.
      await sleep(SETTLE);
    }
    const { send, close } = sender(target, 1);
    for (let warm = 0; warm < 20; warm += 1) await requests.search(send);
    close();
    const ended = received(child, 'changed');
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    ended.then(end, end);
    const before = processorMilliseconds(child.pid ?? 0);
    child.send('run');
    const times = await searchUnderLoad(target, { first: alerts * 2, rate: RATE, now, isOver: () => isOver, say });
    const { changed, milliseconds } = await ended;
    const processor = processorMilliseconds(child.pid ?? 0) - before;
    const search = latencyOf(times);
    const rate = (changed * 1000) / milliseconds;
    say(
      `  ${changed} alerts in ${Math.round(milliseconds)} ms, ${processor} ms of processor time; ${times.length} searches, p50 ${search.p50.toFixed(1)} ms`,
    );
    return [
      { name: `retention of a fifth while ${RATE} alerts/s arrive`, value: rate, unit: 'alerts/s', goal: 5000 },
      { name: 'search meanwhile, p99', value: search.p99, unit: 'ms', goal: 250 },
    ];
  } finally {
    if (child.connected) child.disconnect();
    await gone;
  }
}

/** Resolves with the message that has a member; rejects when the process ends before. */
function received<K extends 'address' | 'changed'>(child: ChildProcess, key: K) {
  type Expected = Extract<RetentionMessage, Readonly<Record<K, unknown>>>;
  return new Promise<Expected>((resolve, reject) => {
    child.once('exit', (status) => reject(new Error(`the program ended with status ${status}`)));
    child.on('message', (message: RetentionMessage) => {
      if (key in message) resolve(message as Expected);
    });
  });
}
