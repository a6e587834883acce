import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { refusalStatuses } from '../src/http/documentation/route-statuses.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Bodies that are no JSON, or JSON that nothing can hold: refused by every route that wants JSON. */
const UNUSABLE: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  truncated: '{"query": "a", "rows"',
  'two values': '{} {}',
  'invalid UTF-8': new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
  NUL: '{"query": "a\\u0000b", "value": "\\u0000", "title": "\\u0000"}',
  'lone surrogate': '[{"howler.analytic": "\\ud800"}]',
  __proto__: '{"__proto__": {"isAdmin": true}, "query": "*:*"}',
  'nested __proto__': '[{"howler": {"__proto__": {"analytic": "x"}}}]',
  'deep list': `${'['.repeat(1000)}${']'.repeat(1000)}`,
  'deep object': `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
};

/** Written with all its digits. */
const LARGE = 2n ** 63n;

const WRONG_KINDS: Readonly<Record<string, unknown>> = {
  query: { a: 1 },
  rows: [],
  offset: {},
  sort: 1,
  fl: {},
  filters: 'x',
  name: [],
  title: {},
  type: [],
  value: {},
  priv: {},
  data: 1,
  transition: [],
  operations: {},
  user: {},
  password: [],
  fields: 5,
  mincount: 'x',
  start: [],
  end: {},
  gap: {},
  privilege: {},
  user_id: [],
  bundle: 1,
  hits: {},
  map: [],
  username: {},
  ids: 'x',
  indexes: {},
  settings: [],
};

/** JSON of kinds and sizes that no route may fall over. */
const STRANGE: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  number: 1e308,
  text: 'text',
  'empty list': [],
  'empty object': {},
  'list of null': [null],
  'list of lists': [[], [[]], [null, null, null]],
  'list of numbers': [1, -1, 1e308],
  'list of objects': [{}, { howler: null }, { howler: [] }, { 'howler.analytic': {} }],
  'list of operations': [
    ['SET'],
    ['SET', 'howler.score'],
    ['NOPE', 'howler.score', {}],
    ['SET', '__proto__.x', 1],
    [{}, [], null],
  ],
  'keys of objects': { constructor: 1, toString: {}, hasOwnProperty: [], '': '', 'a..b': 1, '.': 1, ' ': 1 },
  'wrong kinds': WRONG_KINDS,
  'large integer': LARGE,
  'list of large integers': [LARGE, [LARGE]],
  'large integers': Object.fromEntries([...Object.keys(WRONG_KINDS), 'limit', 'timeout'].map((name) => [name, LARGE])),
  'absurd numbers': {
    query: '*:*',
    rows: -1,
    offset: -5,
    mincount: -1,
    start: 1e308,
    end: -1e308,
    gap: 0,
    timeout: -1,
    limit: 1e308,
    expiry_date: -1,
  },
  'huge numbers': { query: '*:*', rows: 9e15, offset: 9e15, mincount: 9e15, gap: 9e15, limit: 9e15 },
  'numbers as words': { query: '*:*', rows: 'many', offset: 'far', mincount: 'x', gap: 'x', start: 'x', end: 'x' },
  'wrong fields': {
    query: 'nope.nope:1',
    sort: 'nope.nope desc',
    fl: 'nope.nope',
    filters: ['nope:'],
    fields: ['nope', '', '__proto__'],
  },
  'wrong queries': { query: 'a:[1 TO', filters: ['(((', '"'], sort: 'howler.id sideways', fl: ',,,' },
  'long query': { query: 'a OR '.repeat(20_000) },
  'nested query': { query: `${'('.repeat(5_000)}a${')'.repeat(5_000)}` },
  'heavy regular expression': { query: 'message:/(a|aa)+{1,99}(b*c*)*$/' },
};

const QUERIES = [
  'rows=-1&offset=-1&refresh=sometimes',
  'rows=9999999999999999999&offset=9999999999999999999&refresh=true&refresh=false',
  'rows=x&offset=&sort=&fl=&query=&refresh=',
  'rows=1e99&mincount=-3&gap=0&query[a]=1&rows[]=2',
  'query=%22&sort=nope%20desc',
  'query=%FF%FE&__proto__=1&constructor=2&metadata=nope',
  'query=a&query=b&rows=1&rows=2&track_total_hits=maybe&deep_paging_id=nope',
  `query=${'x'.repeat(10_000)}&gap=-1d&start=now&end=then`,
];

const STRANGE_PARAMETERS = [
  '%20',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc',
  '__proto__',
  'constructor',
  '%F0%9F%98%80',
  'a%0Ab',
  'x'.repeat(2000),
  '*',
  '%22',
];

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

/** Undefined when the answer is what an answer may be, else what is wrong with it. */
function faultOf({ status, json, text }: TestAnswer, route: ListedRoute): string | undefined {
  if (status >= 500 && status !== 501) return 'a fault of the program';
  if (status < 400) return undefined;
  // A path that the client shortens (`..`) belongs to another route.
  const isOfRoute = status !== 405;
  if (isOfRoute && !refusalStatuses(route).some((documented) => documented === status))
    return 'a status that is not documented';
  if (json?.api_status_code !== status) return 'not in the envelope';
  // Some refusals have their text beside the message, as the public system does.
  const message = json.api_error_message || json.api_response;
  if (typeof message !== 'string' || message === '') return 'no message';
  return /\n\s+at |node_modules|\.ts:\d/.test(text) ? 'shows where the code is' : undefined;
}

class Faults {
  readonly #seen: string[] = [];

  note(answer: TestAnswer, route: ListedRoute, what: string, fault = faultOf(answer, route)): void {
    if (fault === undefined) return;
    this.#seen.push(
      `${route.method} ${route.path} with ${what}: ${fault}: ${answer.status} ${answer.text.slice(0, 200)}`,
    );
  }

  expectNone(): void {
    assert.ok(this.#seen.length === 0, `\n${this.#seen.join('\n')}`);
  }
}
