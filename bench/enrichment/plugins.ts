import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plugins over HTTP in a process of their own, each on a port of its own. */
export interface Plugins {
  /** Addresses of plugins that answer at once. */
  readonly quick: readonly string[];
  /** Address of a plugin that names its types and never answers a lookup. */
  readonly hanging: string;
  stop(): void;
}

const QUICK = 5;
const TYPES = { ipv4: 'UNRESTRICTED', domain: 'UNRESTRICTED', sha256: 'UNRESTRICTED', url: 'UNRESTRICTED' };

/** Starts the plugins. */
export async function startPlugins(): Promise<Plugins> {
  const child: ChildProcess = fork(import.meta.filename);
  const [urls] = (await once(child, 'message')) as [readonly string[]];
  return { quick: urls.slice(0, QUICK), hanging: urls[QUICK] ?? '', stop: () => void child.kill() };
}

/** An entry with one annotation, as the example of the public system has it. */
const ENTRY = {
  classification: 'UNRESTRICTED',
  count: 1,
  link: 'https://example.org/report',
  annotations: [
    {
      analytic: 'Bench',
      type: 'opinion',
      value: 'malicious',
      confidence: 0.7,
      severity: 0.8,
      summary: 'seen by 4 engines',
      timestamp: '2026-01-01T01:01:01Z',
    },
  ],
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return body;
}

async function answerOf(request: IncomingMessage): Promise<unknown> {
  if (request.method === 'POST') {
    const byType: Record<string, Record<string, unknown>> = {};
    for (const { type, value } of JSON.parse(await bodyOf(request)) as { type: string; value: string }[]) {
      byType[type] ??= {};
      byType[type][value] = { items: [ENTRY] };
    }
    return byType;
  }
  if (request.url?.startsWith('/types')) return TYPES;
  return request.url?.startsWith('/lookup/') ? [ENTRY] : {};
}

async function servePlugin(isHanging: boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    if (isHanging && request.url?.startsWith('/lookup')) return;
    const envelope = { api_response: await answerOf(request), api_error_message: '', api_status_code: 200 };
    const text = JSON.stringify(envelope);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (import.meta.main) {
  const urls: string[] = [];
  for (let number = 0; number <= QUICK; number += 1) urls.push(await servePlugin(number === QUICK));
  process.send?.(urls);
  process.once('disconnect', () => process.exit());
}
