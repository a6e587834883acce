import { after, before, describe, it } from 'node:test';
import type { ListedRoute } from '../src/http/route-list.ts';
import {
  sendRequest,
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';
import { stateChanges, storedState } from '../src/testing/stored-state.ts';
import { saveAnalysisExampleRecords } from './analysis-example-records.ts';
import { Faults, faultOf, QUERIES, STRANGE, STRANGE_PARAMETERS, UNUSABLE } from './bad-inputs.ts';
import { exampleRequest, pathOf, propertiesOf } from './route-examples.ts';

const ADMINISTRATOR = { headers: { 'x-user': 'admin', 'x-apikey': 'devkey:admin' } };
const WORKER = {
  'x-apikey': 'ThisIsARandomAuthKey...ChangeMe!',
  'container-id': 'worker-1',
  'service-name': 'Mini',
  'service-version': '4.7.4.25',
  'service-tool-version': '1',
  timeout: '0',
};
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Values that take the place of each member of an example. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  2n ** 63n,
  '',
  'x'.repeat(10_000),
  '../../etc/passwd NUL \u0000',
  'a:[1 TO (a+)+$',
  [],
  ['x', 5, {}, null, []],
  [{}],
  {},
  { constructor: 1, toString: {}, valueOf: [], '': [], 'a.b': {} },
  JSON.parse('{"__proto__": {"isAdmin": true}}'),
  nested(100),
];
const WRONG_ARGUMENTS = ['', '-1', 'x'.repeat(5000), 'NUL \u0000', '(a+)+$ a:[1 TO'];
/** Values of the headers that workers send. */
const WRONG_HEADERS = ['', 'x', '-1', '1e9', '99999999999999999999', 'TLP:NONE', '../../etc', 'x'.repeat(5000)];

/** A route at its listener. */
interface Served {
  readonly listener: 'analysis' | 'services';
  readonly route: ListedRoute;
}

let program: TestProgram;
before(async () => {
  program = await startTestProgram({
    demo: 'users',
    // What runs in the background would change things meanwhile.
    settings: { 'ui.enforce_quota': false, components: ['http'] },
  });
  await saveAnalysisExampleRecords(program, ADMINISTRATOR);
});
after(() => program.close());

describe('bad input of any route is answered by a refusal in the envelope or a success, and leaves nothing behind', () => {
  it('bodies that cannot be used', async () => {
    await withoutTraces(async (tell) => {
      for (const served of withBody()) {
        for (const [name, body] of Object.entries(UNUSABLE)) {
          await tell(served, name, { body, headers: JSON_HEADERS });
        }
        await tell(served, 'text/plain', { body: '{}', headers: { 'content-type': 'text/plain' } });
        const form = { 'content-type': 'multipart/form-data; boundary=b' };
        for (const body of [
          '',
          '--b',
          '--b\r\n\r\n',
          `--b\r\n${'x'.repeat(100_000)}`,
          '--b\r\nContent-Disposition: form-data; name="json"\r\n\r\n{',
        ]) {
          await tell(served, `form ${body.slice(0, 20)}`, { body, headers: form });
        }
      }
    });
  });

  it('bodies of other kinds than meant', async () => {
    await withoutTraces(async (tell) => {
      for (const served of withBody()) {
        for (const [name, json] of Object.entries(STRANGE)) await tell(served, name, { json });
        await tell(served, '10,000 members', {
          json: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, 'x'])),
        });
        await tell(served, '100-deep', { json: nested(100) });
      }
    });
  });

  it('members of other kinds than meant', async () => {
    await withoutTraces(async (tell) => {
      for (const served of withBody()) {
        const { json } = exampleRequest(served.route);
        for (const [where, value] of variations(json)) await tell(served, where, { json: value });
      }
    });
  });

  it('query arguments of every kind', async () => {
    await withoutTraces(async (tell) => {
      for (const served of routes()) {
        for (const query of QUERIES) await tell(served, query, {}, { query: `?${query}` });
        for (const name of Object.keys(propertiesOf(served.route.schema.querystring))) {
          for (const value of WRONG_ARGUMENTS) {
            const query = `?${new URLSearchParams({ [name]: value })}`;
            await tell(served, query.slice(0, 60), {}, { query });
          }
        }
      }
    });
  });

  it('path parameters of every kind', async () => {
    await withoutTraces(async (tell) => {
      for (const served of routes().filter(({ route: { url } }) => /:|\*/.test(url))) {
        for (const parameter of [...STRANGE_PARAMETERS, '%00', 'a'.repeat(63), 'A'.repeat(64), '0']) {
          await tell(served, parameter.slice(0, 40), {}, { parameter });
        }
      }
    });
  });

  it('headers of workers of every kind', async () => {
    await withoutTraces(async (tell) => {
      const names = ['service-name', 'service-version', 'service-tool-version', 'container-id', 'timeout'];
      const ofUploads = ['sha256', 'classification', 'ttl', 'is-section-image', 'is-supplementary'];
      for (const served of routes().filter(({ listener }) => listener === 'services')) {
        for (const name of [...names, ...ofUploads]) {
          for (const value of WRONG_HEADERS) {
            await tell(served, `${name}: ${value.slice(0, 20)}`, { headers: { [name]: value } });
          }
        }
      }
    });
  });
});

type Tell = (
  served: Served,
  what: string,
  request: TestRequest,
  path?: { readonly query?: string; readonly parameter?: string },
) => Promise<void>;

interface Refused {
  readonly name: string;
  readonly again: () => Promise<TestAnswer>;
}
/** Requests between two looks at everything that is stored. */
const REFUSED_AT_ONCE = 500;

/** Runs requests; those that were refused are sent again, and must not have changed anything. */
async function withoutTraces(run: (tell: Tell) => Promise<void>): Promise<void> {
  const faults = new Faults();
  let refused: Refused[] = [];
  /** Halves the requests until those that changed something are known. */
  const checkTraces = async (requests: readonly Refused[]): Promise<void> => {
    const before = await storedState(program);
    for (const { again } of requests) await again();
    const changes = stateChanges(before, await storedState(program));
    if (changes.length === 0) return;
    if (requests.length === 1) {
      faults.add(`${requests[0]?.name}: was refused and changed ${changes.slice(0, 5).join(', ')}`);
      return;
    }
    const middle = Math.ceil(requests.length / 2);
    await checkTraces(requests.slice(0, middle));
    await checkTraces(requests.slice(middle));
  };
  await run(async (served, what, request, { query, parameter } = {}) => {
    const again = () => send(served, request, parameter, query);
    const answer = await again();
    const { listener, route } = served;
    faults.note(answer, route, `${listener}: ${what}`);
    if (answer.status < 400 || faultOf(answer, route) !== undefined) return;
    refused.push({ name: `${keyOf(served)} with ${what}`, again });
    if (refused.length < REFUSED_AT_ONCE) return;
    await checkTraces(refused);
    refused = [];
  });
  await checkTraces(refused);
  faults.expectNone();
}

function routes(): readonly Served[] {
  const { routes: ours, serviceProtocol } = program.analysis;
  return [
    ...ours.all.map((route) => ({ listener: 'analysis', route }) as const),
    ...serviceProtocol.routes.all.map((route) => ({ listener: 'services', route }) as const),
  ].filter(({ route }) => route.enveloped && !route.url.includes('/auth/logout/'));
}

function withBody(): readonly Served[] {
  return routes().filter(({ route: { body } }) => body !== 'ignored');
}

function send(
  { listener, route }: Served,
  request: TestRequest,
  parameter: string | undefined,
  query: string | undefined,
): Promise<TestAnswer> {
  const { headers = {}, ...example } =
    request.body === undefined && request.json === undefined ? exampleRequest(route) : {};
  const [usual = '', usualQuery] = pathOf(route).split('?');
  const path = parameter === undefined ? usual : route.url.replaceAll(/:[A-Za-z0-9_]+|\*$/g, parameter);
  const credential = listener === 'services' ? WORKER : route.access === 'public' ? {} : ADMINISTRATOR.headers;
  return sendRequest(`${program.urls[listener]}${path}${query ?? (usualQuery === undefined ? '' : `?${usualQuery}`)}`, {
    ...example,
    ...request,
    method: route.method,
    headers: { ...credential, ...headers, ...request.headers },
  });
}

function keyOf({ listener, route: { method, path } }: Served): string {
  return `${listener} ${method} ${path}`;
}

/** Yields copies of a value with one member replaced, for each member and each wrong value. */
function* variations(value: unknown, where = ''): Generator<readonly [where: string, value: unknown]> {
  if (value === null || typeof value !== 'object') return;
  const names = Array.isArray(value) ? [...value.keys()].slice(0, 1) : Object.keys(value);
  for (const name of names) {
    const at = `${where}.${name}`;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    const withMember = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    for (const [index, wrong] of WRONG_VALUES.entries()) yield [`${at} #${index}`, withMember(wrong)];
    for (const [inside, changed] of variations(member, at)) yield [inside, withMember(changed)];
  }
}

function nested(depth: number): unknown {
  let value: unknown = 'x';
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}
