import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceName } from '../../src/identity/actor.ts';
import type { TestProgram } from '../../src/testing/start-test-program.ts';

/** A lookup that the plugin was sent. */
export interface PluginRequest {
  readonly path: string;
  readonly authorization: string | undefined;
}

/** The result of asking a service with the token that the plugin was sent. */
export interface PluginFinding {
  readonly user: string;
  /** Alerts, or users at the analysis service, that this user sees. */
  readonly seen: number;
  /** Status of an attempt to write with the same token. */
  readonly writing: number;
}

export type CalledService = 'alerts' | 'analysis';

const READ = {
  alerts: ['/api/v1/user/whoami', '/api/v1/search/hit', '/api/v1/view'],
  analysis: ['/api/v4/user/whoami/', '/api/v4/user/whoami/', '/api/v4/submit/'],
} as const;

/**
 * Starts a plugin that asks another service of the installation on behalf of the caller, below
 * `/alerts` and `/analysis`. Its finding is the value of an annotation.
 */
export async function startCallingPlugin(urls: () => TestProgram['urls']) {
  const requests: PluginRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request;
    const [, service = '', resource = ''] = new URL(url, 'http://plugin').pathname.split('/');
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization } = headers;
    let data: unknown = {};
    if (resource === 'types') data = { domain: 'UNRESTRICTED' };
    if (resource === 'lookup') {
      requests.push({ path: url, authorization });
      const finding = await find(service as CalledService, urls()[service as ServiceName], authorization ?? '');
      const annotation = { analytic: service, type: 'context', value: JSON.stringify(finding), summary: 'x' };
      const named = { ...annotation, timestamp: '2026-01-02T03:04:05Z', confidence: 1 };
      const item = { count: 1, classification: 'UNRESTRICTED', annotations: [named] };
      const [{ type, value }] = JSON.parse(body) as [{ type: string; value: string }];
      data = { [type]: { [value]: { items: [item] } } };
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ api_response: data, api_error_message: '', api_status_code: 200 }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the settings of its sources, `via-alerts` and `via-analysis`. */
export function callingSources(url: string) {
  return (['alerts', 'analysis'] as const).map((service) => ({
    name: `via-${service}`,
    url: `${url}/${service}`,
    obo_target: service,
  }));
}

/** Looks a domain up at both sources; returns the finding, or the error of the source, by service. */
export async function lookUp(program: TestProgram, credential: { bearer?: string; basic?: string }) {
  const { status, json, text } = await program.request('/enrich/', {
    service: 'enrichment',
    method: 'POST',
    json: [{ type: 'domain', value: 'example.org' }],
    ...credential,
  });
  if (status !== 200) throw new Error(`${status} ${text}`);
  const results = json.api_response.domain['example.org'];
  return Object.fromEntries(
    (['alerts', 'analysis'] as const).map((service): [CalledService, PluginFinding | string] => {
      const { items, error } = results[`via-${service}`];
      return [service, error ?? JSON.parse(items[0].annotations[0].value)];
    }),
  ) as Record<CalledService, PluginFinding | string>;
}

/** Addresses that the alerts of `saveAlerts` hold, and a hash that no file has. */
const ADDRESS = '198.51.100.77';

/** Saves an alert of each classification with the same address. */
export async function saveAlerts(program: TestProgram, classifications: readonly string[]): Promise<void> {
  const json = classifications.map((classification) => ({
    classification,
    howler: { analytic: 'Calls' },
    source: { ip: ADDRESS },
  }));
  const made = await program.request('/api/v1/hit?refresh=wait_for', {
    method: 'POST',
    basic: 'admin:devkey:admin',
    json,
  });
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
}

/** Returns how many alerts the source `alerts` counts for the caller, and errors of both sources. */
export async function countAlerts(program: TestProgram, credential: { bearer?: string; basic?: string }) {
  const { status, json, text } = await program.request('/enrich/?sources=alerts,analysis', {
    service: 'enrichment',
    method: 'POST',
    json: [{ type: 'ip', value: ADDRESS }],
    ...credential,
  });
  if (status !== 200) throw new Error(`${status} ${text}`);
  const { alerts, analysis } = json.api_response.ipv4[ADDRESS];
  return { count: alerts?.items[0]?.count ?? 0, errors: [alerts?.error, analysis?.error].filter(Boolean) };
}

async function find(service: CalledService, base: string, authorization: string): Promise<PluginFinding> {
  const [whoami, read, write] = READ[service];
  const headers = { authorization, 'content-type': 'application/json' };
  const me = await fetch(`${base}${whoami}`, { headers });
  const { username } = ((await me.json()) as { api_response: { username: string } }).api_response;
  let seen = 1;
  if (service === 'alerts') {
    const found = await fetch(`${base}${read}`, { method: 'POST', headers, body: JSON.stringify({ query: '*:*' }) });
    seen = ((await found.json()) as { api_response: { total: number } }).api_response.total;
  }
  const written = await fetch(`${base}${write}`, { method: 'POST', headers, body: '{}' });
  await written.arrayBuffer();
  return { user: username, seen, writing: written.status };
}
