import { Agent, request as httpRequest } from 'node:http';
import autocannon from 'autocannon';

/** Distribution of a set of request times, in milliseconds. */
export interface Latency {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Target {
  readonly base: string;
  /** Headers with the credentials of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Send = (method: string, path: string, body?: string) => Promise<Answer>;

/**
 * A keep-alive sender with at most `connections` sockets.
 * Answers of 400 and more reject: a bench must not count refusals.
 */
export function sender(target: Target, connections: number): { readonly send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send: Send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { ...target.headers };
      if (body !== undefined) {
        headers['content-type'] = 'application/json';
        headers['content-length'] = Buffer.byteLength(body);
      }
      const request = httpRequest(target.base + path, { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
          if (answer.status >= 400)
            reject(new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`));
          else resolve(answer);
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

/**
 * Sends `count` requests over `connections` connections, each waiting for its answer, and says how
 * long they took.
 */
export async function measureLatency(
  connections: number,
  count: number,
  one: (number: number) => Promise<unknown>,
): Promise<Latency> {
  const times: number[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next++;
      const started = performance.now();
      await one(number);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return latencyOf(times);
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { requests: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? Number.NaN };
}

/**
 * Requests per second of GETs over `connections` connections during `seconds`; every answer must be
 * 2xx.
 */
export async function measureRate(
  target: Target,
  paths: readonly string[],
  connections: number,
  seconds: number,
): Promise<number> {
  const result = await autocannon({
    url: target.base,
    connections,
    duration: seconds,
    headers: { ...target.headers },
    requests: paths.map((path) => ({ method: 'GET' as const, path })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${paths[0]}: ${result.non2xx} refusals and ${result.errors} errors among ${result.requests.total} requests`,
    );
  }
  return result.requests.average;
}
