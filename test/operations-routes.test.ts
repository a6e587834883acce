import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { GuardedAccess } from '../src/http/route-access.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import type { AuditEvent } from '../src/identity/audit/audit-log.ts';
import type { InputSchema } from '../src/input/input-reader.ts';
import { askOperations, type OperationsRequest } from '../src/testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../src/testing/start-test-program.ts';
import { exampleOf, exampleRequest, partsOf, pathOf, propertiesOf } from './route-examples.ts';

/** Rights that each route requires of an administrator; `rights` stands for all rights of the account. */
const ACCESS = `
GET /v1/health                                  read
GET /v1/indices                                 read
POST /v1/indices/<collection>/generations       change
GET /v1/migrations                              read
GET /v1/jobs                                    read
POST /v1/jobs/<name>/run                        change
GET /v1/lock-outs                               read
DELETE /v1/lock-outs                            rights
GET /v1/users/<username>/credentials            read
DELETE /v1/users/<username>/sessions            rights
DELETE /v1/users/<username>/sessions/<service>/<id> rights
DELETE /v1/users/<username>/api-keys/<name>     rights
DELETE /v1/users/<username>/second-factors      rights
GET /v1/audit                                   read
GET /v1/audit/kinds                             read
GET /v1/first-steps                             read
POST /v1/first-steps/demo-alerts                change
GET /v1/users                                   read
GET /v1/user-types                              read
GET /v1/users/<username>                        read
POST /v1/users/<username>                       rights
PATCH /v1/users/<username>                      rights
POST /v1/users/<username>/password              rights
GET /v1/queues                                  read
GET /v1/settings                                read
GET /v1/openapi.json                            read
`;

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({
    settings: { 'datastore.ilm.enabled': true },
    onAudit: (event) => void events.push(event),
  });
});
after(() => program.close());

const routes = () => program.operations.routes.all;
const methodOf = ({ method }: ListedRoute) => method as NonNullable<OperationsRequest['method']>;

describe('the routes of the operations API', () => {
  it('are open to those whom the table names', () => {
    const table = ACCESS.trim()
      .split('\n')
      .map((line) => line.replace(/ +(\w+)$/, ' $1'));
    const served = routes().map(({ method, path, access }) => `${method} ${path} ${nameOf(access as GuardedAccess)}`);
    assert.deepEqual(served, table);
  });

  it('refuse everyone but administrators, before they look at what was sent', async () => {
    const secrets = new Map<string, string>();
    for (const [name, priv] of [
      ['reading', 'R'],
      ['writing', 'RW'],
    ] as const) {
      const made = await program.request('/api/v1/auth/apikey', {
        method: 'POST',
        basic: 'admin:admin',
        json: { name, priv: [...priv] },
      });
      secrets.set(name, `admin:${made.json.api_response.apikey}`);
    }
    for (const route of routes()) {
      const url = route.url.replaceAll(/:\w+/g, 'nothing');
      const call = (basic: string | null) => askOperations(program, url, { method: methodOf(route), basic });
      const nobody = await call(null);
      assert.deepEqual([nobody.status, nobody.json.error.code], [401, 'no_credentials'], route.path);
      const user = await call('user:devkey:user');
      assert.deepEqual([user.status, user.json.error.code], [403, 'missing_role'], route.path);
      const isRead = nameOf(route.access as GuardedAccess) === 'read';
      for (const basic of secrets.values()) {
        const { status, text } = await call(basic);
        assert.equal(status === 403, !isRead, `${route.method} ${route.path} ${text}`);
      }
    }
  });

  it('answer an unknown path and method with plain JSON', async () => {
    const path = await askOperations(program, '/v1/nothing');
    assert.deepEqual([path.status, path.json.error.code], [404, 'unknown_path']);
    const method = await askOperations(program, '/v1/health', { method: 'DELETE' });
    assert.deepEqual([method.status, method.json.error.code], [405, 'method_not_allowed']);
  });
});

describe('the examples of the operations API', () => {
  it('exist for every part of a path, required argument and body', () => {
    const missing = routes().flatMap(({ method, path, url, body, schema }) => {
      const parts = partsOf(url).filter((name) => {
        const part = propertiesOf(schema.params)[name];
        return exampleOf(part) === undefined || part?.description === undefined;
      });
      const lacksBody = body !== 'ignored' && exampleOf(schema.body as InputSchema) === undefined;
      return [...parts, ...(lacksBody ? ['body'] : [])].map((name) => `${method} ${path}: ${name}`);
    });
    assert.deepEqual(missing, []);
  });

  it('succeed, and every change is in the audit log', async () => {
    const failed: string[] = [];
    for (const route of routes()) {
      await saveExample(route);
      events.length = 0;
      const { json } = exampleRequest(route);
      const answer = await askOperations(program, pathOf(route), { method: methodOf(route), json });
      const successes = Object.keys(route.schema.response ?? { 200: {} });
      const name = `${route.method} ${route.path}`;
      if (!successes.includes(String(answer.status)))
        failed.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
      const audited = events.some(({ service, call }) => service === 'operations' && call?.startsWith(route.method));
      if (audited !== (route.method !== 'GET')) failed.push(`${name}: ${JSON.stringify(events)}`);
    }
    assert.ok(failed.length === 0, `\n${failed.join('\n')}`);
  });
});

/** Stores what an example names, if it is not part of the demo. */
async function saveExample({ url, schema }: ListedRoute): Promise<void> {
  if (!url.endsWith('/sessions/:service/:id')) return;
  const { username, id } = exampleOf(schema.params as InputSchema) as Record<string, string>;
  const { tokens } = program.foundation.coordination;
  await tokens.put(`app-token:${username}:${id}`, { username, privileges: [] }, 60_000);
}

function nameOf({ privileges, roles, fullScope = false, audit = false }: GuardedAccess): string {
  assert.deepEqual(roles, ['admin']);
  if (privileges[0] === 'R') return 'read';
  assert.ok(privileges[0] === 'E' && audit);
  return fullScope ? 'rights' : 'change';
}
