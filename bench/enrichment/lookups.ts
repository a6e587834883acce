import { request as httpRequest } from 'node:http';
import autocannon from 'autocannon';
import { latencyOf, type Send, type Target } from '../http-load.ts';

/** Path of a bulk lookup at these sources. */
export function bulkPath(sources: readonly string[], maxTimeout = 5): string {
  return `/api/v1/lookup/enrich?sources=${sources.join(',')}&max_timeout=${maxTimeout}`;
}

/** Body of a bulk lookup of that many values, half addresses and half domains. */
export function bulkBody(count: number, run = 0): string {
  return JSON.stringify(
    Array.from({ length: count }, (_, number) =>
      number % 2 === 0
        ? { type: 'ipv4', value: `198.51.${run % 256}.${number % 256}` }
        : { type: 'domain', value: `host-${run}-${number}.example.org` },
    ),
  );
}

/** Sends a bulk lookup, and throws unless every source has an entry for every value. */
export async function checkBulk(send: Send, sources: readonly string[], count: number): Promise<void> {
  const { body } = await send('POST', bulkPath(sources), bulkBody(count));
  const found = (JSON.parse(body) as { api_response: Record<string, Record<string, Record<string, Answer>>> })
    .api_response;
  const values = Object.values(found).flatMap((ofType) => Object.values(ofType));
  const isComplete = values.every((bySource) => sources.every((name) => bySource[name]?.items.length === 1));
  if (values.length !== count || !isComplete) throw new Error(`an answer is not complete: ${body.slice(0, 500)}`);
}

interface Answer {
  readonly items: readonly unknown[];
}

/** Returns the requests per second of one request over some connections; every answer must be 2xx. */
export async function rateOf(
  target: Target,
  connections: number,
  seconds: number,
  request: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string },
): Promise<number> {
  const result = await autocannon({
    url: target.base + request.path,
    connections,
    duration: seconds,
    method: request.method,
    headers: { ...target.headers, ...(request.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${request.path}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result.requests.average;
}

/** Returns the times of the lines of a streamed lookup that sources other than `hanging` sent. */
export function lineTimes(target: Target, path: string, body: string, hanging: string): Promise<readonly number[]> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { ...target.headers, 'content-type': 'application/json', accept: 'application/x-ndjson' };
    const request = httpRequest(target.base + path, { method: 'POST', headers }, (response) => {
      const times: number[] = [];
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { source } = JSON.parse(line) as { readonly source?: string };
          if (source !== undefined && source !== hanging) times.push(performance.now() - started);
        }
      });
      response.on('error', reject);
      response.on('end', () =>
        times.length > 0 ? resolve(times) : reject(new Error(`no lines: ${rest.slice(0, 300)}`)),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Times of requests one after the other, in milliseconds, after `warmUp` that do not count. */
export async function oneByOne(count: number, warmUp: number, one: (number: number) => Promise<unknown>) {
  const times: number[] = [];
  for (let number = 0; number < count + warmUp; number += 1) {
    const started = performance.now();
    await one(number);
    if (number >= warmUp) times.push(performance.now() - started);
  }
  return latencyOf(times);
}

/** A log of about that many characters, with an address, a host, a link and a hash in most lines. */
export function someLog(characters: number): string {
  const lines: string[] = [];
  for (let length = 0, number = 0; length < characters; number += 1) {
    const line = `2026-01-01T00:00:${String(number % 60).padStart(2, '0')}Z sshd[${number}]: Failed password from 203.0.113.${number % 256} port ${1024 + (number % 60_000)} for user${number}@mail${number % 500}.example.org; fetched hxxps://cdn${number % 900}[.]example[.]net/a/${number}?q=1 ${number.toString(16).padStart(64, 'a')}`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, characters);
}

/**
 * Returns the milliseconds in which a client tells the types of that many values.
 * It applies the expressions that the service names: each to the value, then to its lower case, the first that fits wins (contract/enrichment.md section 3.4).
 */
export function detectionTime(expressions: Readonly<Record<string, string | null>>, count: number): number {
  const patterns = Object.entries(expressions).flatMap(([type, text]) =>
    text === null ? [] : [[type, new RegExp(text)] as const],
  );
  const kinds = [
    (number: number) => `198.51.${number % 256}.${number % 250}`,
    (number: number) => `Host-${number}.Example.org`,
    (number: number) => `https://host-${number}.example.org/a/${number}?q=1`,
    (number: number) => number.toString(16).padStart(64, '0'),
    (number: number) => `user${number}@mail${number % 500}.example.org`,
    (number: number) => `2001:db8::${number.toString(16)}`,
    (number: number) => `no selector at all, but words ${number}`,
  ];
  const values = Array.from({ length: count }, (_, number) => kinds[number % kinds.length]?.(number) ?? '');
  const began = performance.now();
  const detect = (value: string) => patterns.find(([, pattern]) => pattern.test(value))?.[0];
  const found = values.filter((value) => (detect(value) ?? detect(value.toLowerCase())) !== undefined).length;
  const time = performance.now() - began;
  if (found < count / 2) throw new Error(`only ${found} of ${count} values have a type`);
  return time;
}
