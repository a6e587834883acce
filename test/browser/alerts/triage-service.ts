import { after, before } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import type { BulkDependencies } from '../../../ui/src/features/alerts/triage/bulk/bulk-dependencies.ts';
import type { Capabilities } from '../../../ui/src/features/alerts/triage/bulk/bulk-plan.ts';
import type { AlertApi } from '../../../ui/src/features/alerts/triage/requests/alert-api.ts';
import { AlertCopies, alertKey } from '../../../ui/src/features/alerts/triage/requests/alert-copies.ts';
import { AlertWriter } from '../../../ui/src/features/alerts/triage/requests/alert-writer.ts';
import { type TriageTarget, targetOf } from '../../../ui/src/features/alerts/triage/targets.ts';
import { ADMIN } from '../alert-data.ts';

/** The fate of a request: `lose`: carried out, without an answer; `cut`: not delivered; or a refusal. */
export type Fault = 'pass' | 'lose' | 'cut' | { readonly status: number };

export interface TriageService {
  readonly program: TestProgram;
  readonly api: AlertApi;
  /** The requests of the interface since the last `fault`, as `METHOD path`. */
  readonly sent: readonly string[];
  /** Sets what becomes of each further request, by `METHOD path` and its number from 1 among equal ones. */
  fault(decide: (request: string, number: number) => Fault): void;
  /** Returns what the interface has for one window. */
  window(capabilities?: Partial<Capabilities>): BulkDependencies;
  /** Reads alerts as a person sees them, also into the copies of a window. */
  seen(ids: readonly string[], copiesOf?: BulkDependencies): Promise<readonly TriageTarget[]>;
}

const ORIGIN = 'http://triad.test';
const TRANSITIONS = 'transitions';

/** Starts a program, and the requests of the interface to it, for the tests of a `describe`. */
export function triageService(): TriageService {
  let program: TestProgram;
  let api: AlertApi;
  let offered: Capabilities['offered'] = {};
  let decide: (request: string, number: number) => Fault = () => 'pass';
  let sent: string[] = [];
  const queries = new Map<BulkDependencies, QueryClient>();
  const ownFetch = globalThis.fetch;

  /** Stands in for the browser: the session is a key, and the network fails as the test says. */
  async function fetchWithFaults(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    if (!request.url.startsWith(ORIGIN)) return ownFetch(input, init);
    const path = request.url.slice(`${ORIGIN}/services/alerts`.length);
    const name = `${request.method} ${path}`;
    sent.push(name);
    const fault = decide(name, sent.filter((one) => one === name).length);
    if (fault === 'cut') throw new TypeError('cut');
    if (typeof fault === 'object') return Response.json({ api_error_message: 'Refused by the test.' }, fault);
    const headers = new Headers(request.headers);
    headers.set('authorization', `Basic ${btoa(ADMIN)}`);
    const body = request.method === 'GET' ? undefined : await request.text();
    const answer = await ownFetch(`${program.url}${path}`, {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (fault === 'lose') throw new TypeError('lost');
    return answer;
  }

  before(async () => {
    program = await startTestProgram();
    Reflect.set(globalThis, 'location', { origin: ORIGIN });
    globalThis.fetch = fetchWithFaults;
    ({ alertApi: api } = await import('../../../ui/src/features/alerts/triage/requests/alert-api.ts'));
    const { json } = await program.request('/api/v1/configs');
    offered = json.api_response.lookups[TRANSITIONS];
  });
  after(async () => {
    globalThis.fetch = ownFetch;
    Reflect.deleteProperty(globalThis, 'location');
    await program?.close();
  });

  return {
    get program() {
      return program;
    },
    get api() {
      return api;
    },
    get sent() {
      return sent;
    },
    fault(next) {
      decide = next;
      sent = [];
    },
    window(given = {}) {
      const client = new QueryClient();
      const copies = new AlertCopies(client);
      const capabilities = { me: 'admin', offered, roles: ['admin'], ...given };
      const writer = new AlertWriter({ api, copies, me: capabilities.me, offered });
      const opened = { api, copies, writer, capabilities, onProgress: () => () => undefined };
      queries.set(opened, client);
      return opened;
    },
    async seen(ids, copiesOf) {
      const found = await Promise.all(ids.map((id) => api.read(id)));
      for (const copy of copiesOf === undefined ? [] : found) {
        queries.get(copiesOf as BulkDependencies)?.setQueryData(alertKey(copy.alert.howler.id), copy);
      }
      return found.map(({ alert }) => targetOf(alert));
    },
  };
}
