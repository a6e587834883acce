import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ListedRoute } from '../src/http/route-list.ts';
import { SERVICES, type ServiceName } from '../src/identity/actor.ts';
import type { InputSchema } from '../src/input/input-reader.ts';
import { aFetcher, anAction } from '../src/testing/enrichment/offering-sources.ts';
import { EVERY_MODULE } from '../src/testing/openapi-texts.ts';
import { type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../src/testing/start-test-program.ts';
import { WebBrowser } from '../src/testing/web-browser.ts';
import { saveAnalysisExampleRecords } from './analysis-example-records.ts';
import { saveExampleRecords } from './example-records.ts';
import { exampleOf, exampleRequest, partsOf, pathOf, propertiesOf } from './route-examples.ts';

/** Routes whose example cannot be sent, by the start of method and path, with the reason. */
const NOT_SENT: readonly (readonly [start: string, reason: string])[] = [
  ['alerts PUT /api/v1/hit/bundle/', 'needs a bundle, whose identifier is new each time'],
  ['alerts DELETE /api/v1/hit/bundle/', 'needs a bundle, whose identifier is new each time'],
  ['alerts GET /api/v1/clue/', 'needs the address of the enrichment service'],
  ['alerts POST /api/v1/clue/', 'needs the address of the enrichment service'],
  ['alerts POST /socket/v1/emit/', 'needs the secret of other programs'],
  ['analysis GET /api/v4/auth/', 'needs a provider, a second factor or a browser'],
  ['analysis POST /api/v4/auth/', 'needs a provider, a second factor or a browser'],
  ['analysis DELETE /api/v4/auth/obo_token/', 'needs a permission that a browser gave'],
  ['analysis GET /api/v4/webauthn/', 'needs a security token'],
  ['analysis POST /api/v4/webauthn/', 'needs a security token'],
  ['analysis GET /api/v4/live/setup_watch_queue/', 'needs a submission that is under way'],
  ['analysis POST /api/v4/alert/all/<alert_id>/', 'is refused: a batch changes several members of an alert'],
  ['analysis POST /api/v4/bundle/', 'needs a bundle, an archive in binary'],
  ['analysis GET /api/v4/submission/ai/', 'needs artificial intelligence, which is not supported'],
  ['analysis GET /api/v4/file/ai/', 'needs artificial intelligence, which is not supported'],
  ['analysis GET /api/v4/file/code_summary/', 'needs artificial intelligence, which is not supported'],
  ['analysis PUT /api/v4/archive/comment/', 'needs a role that no privilege of a key has'],
  ['analysis POST /api/v4/archive/comment/', 'needs a role that no privilege of a key has'],
  ['analysis DELETE /api/v4/archive/comment/', 'needs a role that no privilege of a key has'],
  ['analysis PUT /api/v4/archive/reaction/', 'needs a role that no privilege of a key has'],
  ['analysis GET /api/v4/replay/checkpoint/', 'needs a body, which few clients send with GET'],
  ['analysis GET /api/v4/replay/queue/', 'waits for half a minute where there is no message'],
  ['web GET /session/providers/', 'needs a provider'],
  ['web DELETE /session/mine/<id>', 'needs a session, whose identifier is new each time'],
  ['web POST /session/second-factors/', 'needs a security key, or a code that is new each time'],
  ['web PUT /session/second-factors/', 'needs a second factor'],
  ['web DELETE /session/second-factors/', 'needs a second factor'],
  ['enrichment GET /api/v1/auth/login', 'needs a provider'],
  ['enrichment POST /api/v1/auth/login', 'needs a provider'],
  ['enrichment POST /api/login/', 'needs a provider'],
  ['enrichment GET /api/v1/static/docs/', 'needs texts of the installation'],
];

/** The services, and the web interface. */
const LISTENERS = [...SERVICES, 'web'] as const;
type Listener = (typeof LISTENERS)[number];

const CALLERS: Readonly<Record<ServiceName, TestRequest>> = {
  alerts: { basic: 'admin:devkey:admin' },
  analysis: { headers: { 'x-user': 'admin', 'x-apikey': 'devkey:admin' } },
  enrichment: { basic: 'robot:secret', headers: { 'x-userid': 'grace', 'x-classification': 'UNRESTRICTED' } },
};

/** Saves what the examples name, before each of them. */
const RECORDS: Readonly<Partial<Record<ServiceName, () => Promise<void>>>> = {
  alerts: () => saveExampleRecords(program),
  analysis: () => saveAnalysisExampleRecords(program, CALLERS.analysis),
};

/** Answers of the source that the examples name. */
const PLUGIN: Readonly<Record<string, unknown>> = {
  '/actions/': { note: anAction('note', { classification: 'UNRESTRICTED' }) },
  '/actions/note': { outcome: 'success', summary: 'Note written.', format: 'markdown', output: '# Note' },
  '/fetchers/': { page: aFetcher('page', { classification: 'UNRESTRICTED' }) },
  '/fetchers/page': { outcome: 'success', format: 'markdown', data: '# Page' },
};

let plugin: ScriptedServer;
let program: TestProgram;
before(async () => {
  plugin = await startScriptedServer(({ url }) => ({ body: { api_response: PLUGIN[url] ?? {} } }));
  program = await startTestProgram({
    demo: 'all',
    settings: {
      'enrichment.api_keys': { robot: 'secret' },
      'enrichment.external_sources': [{ name: 'example-plugin', url: plugin.url }],
      'ui.enforce_quota': false,
      ...EVERY_MODULE,
    },
  });
});
after(async () => {
  await program.close();
  await plugin[Symbol.asyncDispose]();
});

for (const service of LISTENERS) {
  describe(`the examples of the ${service} service`, () => {
    it('exist for every part of a path, required argument and body of a JSON route', () => {
      const missing = jsonRoutes(service).flatMap((route) =>
        missingParts(route).map((part) => `${keyOf(service, route)}: ${part}`),
      );
      assert.deepEqual(missing, []);
    });

    it('describe every part of a path', () => {
      const missing = jsonRoutes(service).filter(({ url, schema }) =>
        partsOf(url).some((name) => propertiesOf(schema.params)[name]?.description === undefined),
      );
      assert.deepEqual(
        missing.map((route) => keyOf(service, route)),
        [],
      );
    });

    it('succeed', async () => {
      const failed: string[] = [];
      for (const route of jsonRoutes(service)) {
        if (reasonAgainst(service, route) !== undefined || missingParts(route).length > 0) continue;
        await (service === 'web' ? undefined : RECORDS[service]?.());
        const answer = await program.request(pathOf(route), {
          ...(await requestOf(service, route)),
          method: route.method,
          service,
        });
        const successes = Object.keys(route.schema.response ?? { 200: {} });
        if (!successes.includes(String(answer.status))) {
          failed.push(`${keyOf(service, route)}: ${answer.status} ${answer.text.slice(0, 200)}`);
        }
      }
      assert.ok(failed.length === 0, `\n${failed.join('\n')}`);
    });
  });
}

it('every reason against sending an example is needed', () => {
  const keys = LISTENERS.flatMap((service) => jsonRoutes(service).map((route) => keyOf(service, route)));
  assert.deepEqual(
    NOT_SENT.filter(([start]) => !keys.some((key) => key.startsWith(start))),
    [],
  );
});

function jsonRoutes(service: Listener): readonly ListedRoute[] {
  return program[service].routes.all.filter(({ enveloped }) => enveloped);
}

function keyOf(service: Listener, { method, path }: ListedRoute): string {
  return `${service} ${method} ${path}`;
}

function reasonAgainst(service: Listener, route: ListedRoute): string | undefined {
  return NOT_SENT.find(([start]) => keyOf(service, route).startsWith(start))?.[1];
}

function missingParts({ url, body, schema }: ListedRoute): readonly string[] {
  const query = schema.querystring as InputSchema | undefined;
  const required = (query?.required ?? []).filter((name) => query?.properties?.[name]?.default === undefined);
  return [
    ...partsOf(url).filter((name) => exampleOf(propertiesOf(schema.params)[name]) === undefined),
    ...required.filter((name) => exampleOf(query?.properties?.[name]) === undefined),
    ...(body !== 'ignored' && needsBody(schema.body as InputSchema | undefined) ? ['body'] : []),
  ];
}

/** Returns whether a body has no example, although it is not empty. */
function needsBody(schema: InputSchema | undefined): boolean {
  return schema !== undefined && exampleOf(schema) === undefined && !isEmptyObject(schema);
}

function isEmptyObject({ type, required = [] }: InputSchema): boolean {
  return type === 'object' && required.length === 0;
}

async function requestOf(service: Listener, route: ListedRoute): Promise<TestRequest> {
  const caller = service === 'web' ? await browserHeaders() : route.access === 'public' ? {} : CALLERS[service];
  const { headers, ...sent } = exampleRequest(route);
  return { ...caller, ...sent, headers: { ...caller.headers, ...headers } };
}

/** Returns the headers of a page with a session that was just opened. */
async function browserHeaders(): Promise<TestRequest> {
  const browser = new WebBrowser(program.urls.web);
  await browser.signIn('admin');
  return { headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' } };
}
