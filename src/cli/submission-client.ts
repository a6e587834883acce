import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SubmissionClientOptions {
  /** `http://host:port` of the analysis service. */
  readonly server: string;
  readonly user: string;
  /** `key name:secret`. */
  readonly apiKey: string;
  /** Parameters of every submission. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly profile: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds between two looks at a submission, and before a refused one is repeated. Default 500. */
  readonly interval?: number;
}

/** The outcome of a file. */
export interface Verdict {
  readonly sid: string;
  readonly score: number;
  readonly files: number;
  readonly errors: number;
}

/** The analysis service refused a file, or did not answer as expected. */
export class SubmissionRefused extends Error {}

/** Text of refusals that end when other submissions of the user do. */
const BUSY = /concurrent/;
const RETRIES = 5;
const RESTART_RETRIES = 120;

/** Submits files to a running program over HTTP and waits for their analysis. */
export class SubmissionClient {
  readonly #options: SubmissionClientOptions;

  constructor(options: SubmissionClientOptions) {
    this.#options = options;
  }

  /** @throws SubmissionRefused */
  async analyze(path: string): Promise<Verdict> {
    const { sid } = await this.#submit(path);
    while (!(await this.#call(`submission/is_completed/${sid}/`))) await this.#pause();
    const found = (await this.#call(`submission/${sid}/`)) as Record<string, unknown>;
    const { max_score: score, file_count: files, error_count: errors } = found;
    return { sid, score: Number(score), files: Number(files), errors: Number(errors) };
  }

  async #submit(path: string): Promise<{ readonly sid: string }> {
    const { params, profile } = this.#options;
    for (;;) {
      const form = new FormData();
      const settings = {
        name: basename(path),
        params,
        ...(profile === undefined ? {} : { submission_profile: profile }),
      };
      form.set('json', JSON.stringify(settings));
      // Read while it is sent.
      form.set('bin', await openAsBlob(path), basename(path));
      try {
        return (await this.#call('submit/', form)) as { sid: string };
      } catch (error) {
        if (!(error instanceof SubmissionRefused && BUSY.test(error.message))) throw error;
        await this.#pause();
      }
    }
  }

  /** Repeats what a program that is starting or busy refuses for the moment. */
  async #call(path: string, form?: FormData): Promise<unknown> {
    const { server, user, apiKey, signal } = this.#options;
    const headers = { 'x-user': user, 'x-apikey': apiKey };
    for (let attempt = 1; ; attempt += 1) {
      const request = form === undefined ? { headers } : { headers, method: 'POST', body: form };
      const response = await fetch(`${server}/api/v4/${path}`, { ...request, signal }).catch((cause: unknown) => {
        signal.throwIfAborted();
        // A submission that was answered survives a restart of the program.
        if (form === undefined && attempt < RESTART_RETRIES) return undefined;
        throw new SubmissionRefused(`${server} cannot be reached (${reasonOf(cause)}).`);
      });
      if (response === undefined) {
        await this.#pause();
        continue;
      }
      const answer = await envelopeOf(response);
      if (response.ok) return answer.api_response;
      const isTemporary = response.status === 503 && !BUSY.test(answer.api_error_message);
      if (!isTemporary || attempt === RETRIES) {
        throw new SubmissionRefused(`${response.status}: ${answer.api_error_message}`);
      }
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await sleep(this.#options.interval ?? 500, undefined, { signal: this.#options.signal });
  }
}

async function envelopeOf(response: Response): Promise<{ api_response: unknown; api_error_message: string }> {
  const answer: unknown = await response.json().catch(() => undefined);
  const { api_response, api_error_message } = Object(answer) as Record<string, unknown>;
  return { api_response, api_error_message: String(api_error_message ?? 'not an answer of the analysis service') };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
