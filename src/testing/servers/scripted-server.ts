import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ScriptedRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string, and bytes, as they are. */
  readonly body?: unknown;
}

/**
 * `hang`: never an answer.
 * `reset`: the connection is cut. `truncate`: it is cut in the middle of an answer.
 */
export type Script = (request: ScriptedRequest) => ScriptedAnswer | 'hang' | 'reset' | 'truncate';

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  /** Connections that were made to it. */
  readonly connections: () => number;
}

/**
 * A server on a free port of loopback that answers as told and notes what it was asked: for what real
 * servers do not do on demand.
 */
export async function startScriptedServer(
  script: Script,
  tls?: { readonly key: string; readonly cert: string },
): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const asked = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(asked);
      const answer = script(asked);
      if (answer === 'hang') return;
      if (answer === 'reset') {
        request.socket.destroy();
        return;
      }
      if (answer === 'truncate') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"begun":', () => setTimeout(() => request.socket.resetAndDestroy(), 20));
        return;
      }
      const { status = 200, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...answer.headers });
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      response.end(isRaw ? body : body === undefined ? '' : JSON.stringify(body));
    });
  };
  const server: Server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
