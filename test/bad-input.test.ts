import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ListedRoute } from '../src/http/route-list.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';
import { Faults, QUERIES, STRANGE, STRANGE_PARAMETERS, UNUSABLE } from './bad-inputs.ts';

const ADMIN = 'admin:devkey:admin';
const JSON_HEADERS = { 'content-type': 'application/json' };

let program: TestProgram;
before(async () => {
  program = await startTestProgram();
});
after(() => program.close());

describe('every input is answered by a refusal in the envelope or a success, never by a fault of the program', () => {
  it('bodies that cannot be used', async () => {
    const faults = new Faults();
    for (const route of routesWithBody()) {
      for (const [name, body] of Object.entries(UNUSABLE)) {
        const answer = await send(route, { body, headers: JSON_HEADERS });
        faults.note(answer, route, name);
        if (route.body === 'json' && answer.status < 400) faults.note(answer, route, name, 'was taken');
      }
    }
    faults.expectNone();
  });

  it('a string of 8.1 MB', async () => {
    const body = `[{"howler.analytic": "x", "message": "${'x'.repeat(8_100_000)}"}]`;
    for (const [path, message] of [
      ['/api/v1/hit/', /longer than 8000000 characters/],
      ['/api/v1/search/hit', /longer than 8000000 characters/],
      ['/api/v1/auth/login', /larger than this server accepts/],
    ] as const) {
      const answer = await program.request(path, { method: 'POST', basic: ADMIN, body, headers: JSON_HEADERS });
      assert.equal(answer.status, 413, answer.text);
      assert.match(answer.json.api_error_message, message);
    }
  });

  it('bodies of other kinds than meant', async () => {
    const faults = new Faults();
    for (const route of routesWithBody()) {
      for (const [name, json] of Object.entries(STRANGE)) faults.note(await send(route, { json }), route, name);
      const text = await send(route, { body: '{}', headers: { 'content-type': 'text/plain' } });
      faults.note(text, route, 'text/plain');
      if (route.body === 'json' && text.status !== 415) faults.note(text, route, 'text/plain', 'was read');
    }
    faults.expectNone();
  });

  it('query arguments of every kind', async () => {
    const faults = new Faults();
    for (const route of program.alerts.routes.all) {
      for (const query of QUERIES) {
        const json = route.body === 'ignored' || route.method === 'GET' ? {} : { json: {} };
        faults.note(await send(route, json, 'hit', `?${query}`), route, query);
      }
    }
    faults.expectNone();
  });

  it('path parameters of every kind', async () => {
    const faults = new Faults();
    for (const route of program.alerts.routes.all.filter(({ url }) => url.includes(':'))) {
      for (const parameter of STRANGE_PARAMETERS) {
        const json = route.body === 'ignored' || route.method === 'GET' ? {} : { json: {} };
        faults.note(await send(route, json, parameter), route, parameter.slice(0, 40));
      }
    }
    faults.expectNone();
  });

  it('and nothing of it was stored', async () => {
    const { json } = await program.request('/api/v1/search/count/hit?query=*:*', { basic: ADMIN });
    assert.deepEqual(json.api_response, { count: 0 });
  });
});

function routesWithBody(): readonly ListedRoute[] {
  return program.alerts.routes.all.filter(({ body, method }) => body !== 'ignored' && method !== 'GET');
}

function send(route: ListedRoute, request: TestRequest, parameter = 'hit', query = ''): Promise<TestAnswer> {
  const path = route.url.replaceAll(/:[A-Za-z0-9_]+/g, parameter);
  const credential = route.access === 'public' ? {} : { basic: ADMIN };
  return program.request(`${path}${query}`, { method: route.method, ...credential, ...request });
}
