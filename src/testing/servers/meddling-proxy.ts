import { Agent, createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PassedRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly body: string;
}

/**
 * Treatment of a request:
 * `pass`; `lose`: executed, but the connection is closed before the response; `cut`: not delivered; or a replacement
 * response.
 */
export type Meddling = 'pass' | 'lose' | 'cut' | { readonly status: number; readonly body: unknown };

export interface MeddlingProxy extends AsyncDisposable {
  readonly url: string;
  readonly passed: readonly PassedRequest[];
}

/**
 * Stands between the program and a real server, on a free port of loopback, for what real networks do
 * now and then.
 */
export async function startMeddlingProxy(
  target: string,
  meddle: (request: PassedRequest) => Meddling | Promise<Meddling>,
): Promise<MeddlingProxy> {
  const passed: PassedRequest[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const asked = { method, url, body: Buffer.concat(chunks).toString('utf8') };
    passed.push(asked);
    const meddling = await meddle(asked);
    if (meddling === 'cut') return void request.socket.destroy();
    if (typeof meddling === 'object') {
      response.writeHead(meddling.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(meddling.body));
    }
    const answer = await forward(new URL(url, target), asked, headers, agent);
    if (meddling === 'lose') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': answer.type });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(
  url: URL,
  { method, body }: PassedRequest,
  { connection: _connection, host: _host, ...headers }: IncomingHttpHeaders,
  agent: Agent,
): Promise<{ status: number; type: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers: { ...headers, 'accept-encoding': 'identity' }, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'] ?? 'application/json',
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}
