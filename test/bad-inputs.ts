import assert from 'node:assert/strict';
import { refusalStatuses } from '../src/http/documentation/route-statuses.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import type { TestAnswer } from '../src/testing/start-test-program.ts';

/** Bodies that are no JSON, or JSON that nothing can hold: refused by every route that wants JSON. */
export const UNUSABLE: Readonly<Record<string, string | Uint8Array>> = {
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
export const STRANGE: Readonly<Record<string, unknown>> = {
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

export const QUERIES = [
  'rows=-1&offset=-1&refresh=sometimes',
  'rows=9999999999999999999&offset=9999999999999999999&refresh=true&refresh=false',
  'rows=x&offset=&sort=&fl=&query=&refresh=',
  'rows=1e99&mincount=-3&gap=0&query[a]=1&rows[]=2',
  'query=%22&sort=nope%20desc',
  'query=%FF%FE&__proto__=1&constructor=2&metadata=nope',
  'query=a&query=b&rows=1&rows=2&track_total_hits=maybe&deep_paging_id=nope',
  `query=${'x'.repeat(10_000)}&gap=-1d&start=now&end=then`,
];

export const STRANGE_PARAMETERS = [
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

/** Undefined when the answer is what an answer may be, else what is wrong with it. */
export function faultOf({ status, json, text }: TestAnswer, route: ListedRoute): string | undefined {
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

/** Faults of answers, with what was sent. */
export class Faults {
  readonly #seen: string[] = [];

  note(answer: TestAnswer, route: ListedRoute, what: string, fault = faultOf(answer, route)): void {
    if (fault === undefined) return;
    this.#seen.push(
      `${route.method} ${route.path} with ${what}: ${fault}: ${answer.status} ${answer.text.slice(0, 200)}`,
    );
  }

  add(fault: string): void {
    this.#seen.push(fault);
  }

  expectNone(): void {
    assert.ok(this.#seen.length === 0, `\n${this.#seen.join('\n')}`);
  }
}
