import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallKind } from '../call-context.ts';
import { HANGING, type PluginRequest, type PluginScript, type SourceSubject } from '../conformance/subject.ts';
import { HttpSourceClient } from './http-source-client.ts';

/** The adapter as the conformance suite takes it: a plugin on loopback. */
export const HTTP_SUBJECT: SourceSubject = {
  name: 'plugin over HTTP',
  async open(script) {
    const requests: PluginRequest[] = [];
    const server = createServer((request, response) => void answer(request, response, script, requests));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      client: new HttpSourceClient({ url: `http://127.0.0.1:${port}/below/` }),
      requests,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: PluginScript,
  requests: PluginRequest[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = pluginRequest(request, Buffer.concat(chunks).toString('utf8'));
  requests.push(asked);
  const answered = script(asked);
  if (answered === 'hang') {
    setTimeout(() => send(response, 200, {}), HANGING).unref();
  } else if ('status' in answered) {
    send(response, answered.status, null, answered.message);
  } else {
    send(response, 200, isSingle(request) ? singleAnswer(answered.content, asked) : answered.content);
  }
}

function send(response: ServerResponse, status: number, content: unknown, message = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ api_response: content, api_error_message: message, api_status_code: status }));
}

function pluginRequest({ method, url = '', headers }: IncomingMessage, text: string): PluginRequest {
  const [, , resource = '', first = '', second = ''] = new URL(url, 'http://plugin').pathname.split('/');
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const kinds: Readonly<Record<string, CallKind>> = {
    types: 'types',
    lookup: 'lookup',
    actions: method === 'GET' ? 'actions' : 'run_action',
    fetchers: method === 'GET' ? 'fetchers' : 'run_fetcher',
  };
  const single = [{ type: decodeURIComponent(first), value: decodeURIComponent(decodeURIComponent(second)) }];
  return {
    kind: kinds[resource] ?? 'types',
    token: headers.authorization?.replace(/^Bearer /, ''),
    selectors: resource !== 'lookup' ? [] : method === 'GET' ? single : (body as PluginRequest['selectors']),
    id: decodeURIComponent(first),
    body,
  };
}

function isSingle({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && url.includes('/lookup/');
}

/** Returns the entries of the only value that was asked for, as a plugin answers the single route. */
function singleAnswer(content: unknown, { selectors }: PluginRequest): unknown {
  const [selector] = selectors;
  const bulk = content as Readonly<Record<string, Readonly<Record<string, { readonly items: unknown }>>>>;
  return selector === undefined ? [] : (bulk[selector.type]?.[selector.value]?.items ?? []);
}
