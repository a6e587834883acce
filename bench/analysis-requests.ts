import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Target } from './http-load.ts';

/** Credentials of the administrator of the demo, for the analysis service. */
export const ANALYSIS_CREDENTIALS = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };

const BOUNDARY = 'bench-of-the-analysis-service';

/** Sends files to the analysis service, over at most `connections` connections. */
export class AnalysisClient {
  readonly #agent: Agent;
  readonly #target: Target;

  constructor(target: Target, connections: number) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Submits a file, which analyzers look at; the identifier of its submission. */
  async submit(content: Buffer, settings: Readonly<Record<string, unknown>>): Promise<string> {
    const answer = await this.#upload('/api/v4/submit/', content, { name: 'bench.txt', ...settings });
    return (await read(answer)).sid as string;
  }

  /** Has a file analysed when there is time for it; the identifier of the order. */
  async ingest(content: Buffer, settings: Readonly<Record<string, unknown>>): Promise<string> {
    const answer = await this.#upload('/api/v4/ingest/', content, { name: 'bench.txt', ...settings });
    return (await read(answer)).ingest_id as string;
  }

  /** Returns the data of an answer. */
  async get(path: string): Promise<unknown> {
    return read(await this.#send('GET', path, {}, undefined));
  }

  async post(path: string, body: unknown): Promise<unknown> {
    const text = Buffer.from(JSON.stringify(body));
    return read(await this.#send('POST', path, { 'content-type': 'application/json' }, [text]));
  }

  /** Asks again and again whether a submission is completed. Resolves when it is. */
  async completed(sid: string): Promise<void> {
    while ((await this.get(`/api/v4/submission/is_completed/${sid}/`)) !== true) await sleep(2);
  }

  /** Uploads a file of that many bytes that is made on the way; its name says nothing. */
  async uploadLarge(size: number): Promise<string> {
    const piece = randomBytes(1024 * 1024);
    const pieces = function* () {
      for (let sent = 0; sent < size; sent += piece.length) yield piece;
    };
    const settings = { name: 'large.bin', params: { ignore_size: true, services: { selected: ['Nothing'] } } };
    const answer = await this.#send('POST', '/api/v4/submit/', MULTIPART, parts(settings, pieces(), size));
    return (await read(answer)).sid as string;
  }

  close(): void {
    this.#agent.destroy();
  }

  #upload(path: string, content: Buffer, settings: Readonly<Record<string, unknown>>): Promise<Answer> {
    return this.#send('POST', path, MULTIPART, parts(settings, [content], content.length));
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Iterable<Buffer> | undefined,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        this.#target.base + path,
        { method, headers: { ...this.#target.headers, ...headers }, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const status = response.statusCode ?? 0;
            if (status < 400) resolve({ status, body: text });
            else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`));
          });
        },
      );
      request.on('error', reject);
      const write = async () => {
        for (const piece of body ?? []) {
          if (!request.write(piece)) await new Promise((drained) => request.once('drain', drained));
        }
        request.end();
      };
      write().catch(reject);
    });
  }
}

const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

function* parts(settings: object, content: Iterable<Buffer>, size: number): Generator<Buffer> {
  yield Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="json"\r\n\r\n${JSON.stringify(settings)}\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="bin"; filename="bench.bin"\r\ncontent-length: ${size}\r\n\r\n`,
  );
  yield* content;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

// biome-ignore lint/suspicious/noExplicitAny: the bench reads single members of answers
async function read({ body }: Answer): Promise<any> {
  return (JSON.parse(body) as { api_response: unknown }).api_response;
}

/** Returns a new text of about that many bytes. */
export function someText(size: number, number: number): Buffer {
  const line = `line ${number} of ${randomBytes(12).toString('hex')}: the quick brown fox jumps over the lazy dog\n`;
  return Buffer.from(line.repeat(Math.ceil(size / line.length)).slice(0, size));
}
