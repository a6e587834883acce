import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../src/testing/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

const HEADERS = { 'x-user': 'admin', 'x-apikey': 'devkey:admin', 'content-type': 'application/json' };
const QUEUE = 'outages';
/** Milliseconds between two requests, and after a refusal. */
const PACE = 20;
const PATIENCE = 200;

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly message: string;
  readonly data: Json;
}

/** Clients of the analysis service that go on while servers behind it are away. */
export class AnalysisClient {
  /** Identifiers of submissions and of files in bulk that were answered. */
  readonly submitted: string[] = [];
  readonly ingested: string[] = [];
  readonly refused: Answer[] = [];
  readonly notified = new Set<string>();
  readonly #url: string;
  #isEnding = false;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(method: string, path: string, json?: unknown): Promise<Answer> {
    const answer = await fetch(`${this.#url}/api/v4/${path}`, {
      method,
      headers: HEADERS,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const body = (await answer.json()) as Json;
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, retryAfter, message: body.api_error_message, data: body.api_response };
  }

  /** Submits a different file, or sends it in bulk; true when it was accepted. */
  async send(kind: 'submit' | 'ingest'): Promise<boolean> {
    const file = { plaintext: `${kind} ${Math.random()} `.repeat(20), name: 'a.txt', params: { ttl: 1 } };
    const answer = await this.ask(
      'POST',
      `${kind}/`,
      kind === 'submit' ? file : { ...file, notification_queue: QUEUE },
    );
    if (answer.status !== 200) this.refused.push(answer);
    else if (kind === 'submit') this.submitted.push(answer.data.sid);
    else this.ingested.push(answer.data.ingest_id);
    return answer.status === 200;
  }

  /** Sends files until `end`. */
  async keepSending(): Promise<void> {
    const repeat = async (kind: 'submit' | 'ingest') => {
      while (!this.#isEnding) await sleep((await this.send(kind)) ? PACE : PATIENCE);
    };
    await Promise.all([repeat('submit'), repeat('ingest')]);
  }

  end(): void {
    this.#isEnding = true;
  }

  /** Waits until everything that was accepted is completed and notified; the submissions. */
  async completed(longest: number): Promise<readonly Json[]> {
    const documents: Json[] = [];
    const deadline = performance.now() + longest;
    for (const sid of this.submitted) {
      let document: Json;
      const isCompleted = async () => {
        document = (await this.ask('GET', `submission/${sid}/`)).data;
        return document?.state === 'completed';
      };
      await until(`${sid} is completed`, isCompleted, Math.max(0, deadline - performance.now()));
      documents.push(document);
    }
    const isNotified = async () => {
      const { data } = await this.ask('GET', `ingest/get_message_list/${QUEUE}/`);
      for (const { ingest_id } of data) this.notified.add(ingest_id);
      return this.ingested.every((id) => this.notified.has(id));
    };
    await until('every notification came', isNotified, Math.max(0, deadline - performance.now()));
    return documents;
  }
}

/** Asserts that each service found something in each submission, once. */
export function assertWhole(documents: readonly Json[], services: number): void {
  for (const { sid, results, errors } of documents) {
    assert.deepEqual(errors, [], sid);
    assert.equal(results.length, services, `${sid}: ${results}`);
  }
}
