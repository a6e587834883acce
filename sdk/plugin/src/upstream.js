import { setTimeout as sleep } from 'node:timers/promises';
import { NotFound, PluginError, TimedOut, Unprocessable } from './errors.js';

const RETRIED = new Set([429, 500, 502, 503, 504]);

/**
 * Asks another service for JSON. Repeats after 429 and 5xx, if it can within the time of the signal.
 * Throws NotFound for 404 and Unprocessable for 422.
 */
export async function askUpstream(address, { retries = 2, signal, ...options } = {}) {
  for (let attempt = 0; ; attempt += 1) {
    let answer;
    try {
      answer = await fetch(address, { redirect: 'error', ...options, ...(signal ? { signal } : {}) });
    } catch (error) {
      if (signal?.aborted) throw new TimedOut(undefined, { cause: error });
      if (attempt >= retries)
        throw new PluginError(500, `Could not connect to ${new URL(address).host}.`, { cause: error });
      await pause(500 * 2 ** attempt, signal);
      continue;
    }
    if (answer.ok) return answer.json();
    await answer.body?.cancel();
    if (answer.status === 404) throw new NotFound();
    if (answer.status === 422) throw new Unprocessable();
    if (attempt >= retries || !RETRIED.has(answer.status)) {
      throw new PluginError(500, `${new URL(address).host} answered ${answer.status}.`);
    }
    const seconds = Number(answer.headers.get('retry-after'));
    await pause(seconds > 0 ? seconds * 1000 : 500 * 2 ** attempt, signal);
  }
}

async function pause(milliseconds, signal) {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    throw new TimedOut(undefined, { cause: error });
  }
}
