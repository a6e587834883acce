import { parentPort } from 'node:worker_threads';
import type { Log } from 'triad/extension';
import { keyOfType } from '../type-regex.ts';
import type { ThreadMessage } from './messages.ts';

export { readManifest } from './manifest.ts';
export { createRouteGroup, failure, ok, requireLogin } from './route-group.ts';

const taken = new Set<string>();

/** Sets the types that exist already. */
export function reserveTypes(keys: readonly string[]): void {
  for (const key of keys) taken.add(key);
}

/** Implements `add_supported_type` of `triad/extension`. */
export function add_supported_type(type: string, regex: string | null = null, namespace: string | null = null): void {
  const key = keyOfType(type, regex, namespace);
  if (taken.has(key)) throw new Error(`There is a type ${key} already.`);
  taken.add(key);
  send({ event: 'type', key, regex });
}

export function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

const writer =
  (level: 'info' | 'warn' | 'error') =>
  (message: string, fields: object = {}) =>
    send({ event: 'log', level, message: String(message), fields: JSON.stringify(fields) ?? '{}' });

/** Writes to the log of the program. */
export const log: Log = { info: writer('info'), warn: writer('warn'), error: writer('error') };
