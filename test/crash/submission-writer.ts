import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpawnedProgram } from '../../src/testing/spawn-program.ts';

const HEADERS = { 'x-user': 'admin', 'x-apikey': 'devkey:admin', 'content-type': 'application/json' };
const QUEUE = 'crash';
/** Every so many files in bulk, the same one comes again. */
const REPETITION = 5;
/** Milliseconds between two looks for notifications. */
const INTERVAL = 100;

export interface StoredSubmission {
  readonly sid: string;
  readonly state: string;
  readonly results: readonly string[];
  readonly errors: readonly string[];
}

/** Remembers the answers to a client of the analysis service across the lives of a killed program. */
export class SubmissionLedger {
  /** Identifiers of submissions that were answered. */
  readonly submitted = new Set<string>();
  /** Identifiers of files in bulk that were answered. */
  readonly ingested = new Set<string>();
  /** Notifications of each file in bulk, counted. */
  readonly notified = new Map<string, number>();

  get answered(): number {
    return this.submitted.size + this.ingested.size;
  }

  get unnotified(): readonly string[] {
    return [...this.ingested].filter((id) => !this.notified.has(id));
  }
}

export async function send<T>(program: SpawnedProgram, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${program.addresses.analysis}${path}`, {
    method,
    headers: HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { api_response: T };
  assert.ok(response.ok, `${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.api_response;
}

/** Submits different files until `enough` were answered; fails when the program is gone. */
export async function submitFiles(program: SpawnedProgram, ledger: SubmissionLedger, enough: number): Promise<void> {
  while (ledger.answered < enough) {
    const { sid } = await send<StoredSubmission>(program, 'POST', '/api/v4/submit/', aFile(newText()));
    ledger.submitted.add(sid);
  }
}

/** Sends files in bulk, some twice, until `enough` were answered; fails when the program is gone. */
export async function ingestFiles(program: SpawnedProgram, ledger: SubmissionLedger, enough: number): Promise<void> {
  let text = newText();
  for (let count = 1; ledger.answered < enough; count += 1) {
    if (count % REPETITION !== 0) text = newText();
    const file = { ...aFile(text), notification_queue: QUEUE };
    const { ingest_id } = await send<{ ingest_id: string }>(program, 'POST', '/api/v4/ingest/', file);
    ledger.ingested.add(ingest_id);
  }
}

/** Takes notifications until aborted; fails when the program is gone. */
export async function readNotifications(
  program: SpawnedProgram,
  ledger: SubmissionLedger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const path = `/api/v4/ingest/get_message_list/${QUEUE}/`;
    for (const { ingest_id } of await send<{ ingest_id: string }[]>(program, 'GET', path)) {
      ledger.notified.set(ingest_id, (ledger.notified.get(ingest_id) ?? 0) + 1);
    }
    await sleep(INTERVAL);
  }
}

/** Days after which half of the files are deleted. */
export const SHORT_LIFE = 1;

function aFile(plaintext: string) {
  const ttl = Math.random() < 0.5 ? SHORT_LIFE : 30;
  return { plaintext, name: 'crash.txt', params: { ttl, services: { selected: [], excluded: [] } } };
}

function newText(): string {
  return `crash ${Math.random()} `.repeat(40);
}
