import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ANALYSIS_ROLES_OF_PRIVILEGES } from '../src/documents/kinds/analysis-roles.ts';
import { userDocument } from '../src/documents/kinds/user.ts';
import { readDocument } from '../src/documents/schema/read-document.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import { hashApiKeySecret } from '../src/identity/keys/api-key-records.ts';
import { startTestProgram, type TestAnswer, type TestProgram } from '../src/testing/start-test-program.ts';
import { stateChanges, storedState } from '../src/testing/stored-state.ts';
import { saveAnalysisExampleRecords } from './analysis-example-records.ts';
import { exampleRequest, pathOf } from './route-examples.ts';

const ADMINISTRATOR = { headers: { 'x-user': 'admin', 'x-apikey': 'devkey:admin' } };
const READER = 'auditor';
/** The account may do everything, so that only the key is in the way. */
const KEYS = { read: ['R'], all: ['R', 'W', 'E'] } as const;

/**
 * Changes that calls of a key which only reads make, by the start of method and path, with the reason.
 * Names of documents and queues are as in `storedState`.
 */
const CHANGED_BY_READING: readonly (readonly [start: string, change: RegExp, reason: string])[] = [
  ['GET /api/v4/submission/', /^submission_(tree|summary) /, 'trees and summaries are kept for the next reader'],
];

let program: TestProgram;
before(async () => {
  program = await startTestProgram({
    demo: 'users',
    // What runs in the background would change things meanwhile.
    settings: { 'ui.enforce_quota': false, components: ['http'] },
  });
  await saveReader();
  await saveAnalysisExampleRecords(program, ADMINISTRATOR);
});
after(() => program.close());

describe('an API key that only reads', () => {
  it('changes nothing on any route', async () => {
    const faults: string[] = [];
    let before = await storedState(program);
    for (const route of guardedRoutes()) {
      const { status, text } = await call(route, 'read');
      const reasons = CHANGED_BY_READING.filter(([start]) => keyOf(route).startsWith(start));
      const after = await storedState(program);
      const changes = stateChanges(before, after).filter((name) => !reasons.some(([, change]) => change.test(name)));
      before = after;
      if (changes.length > 0) faults.push(`${keyOf(route)} changed ${changes.join(', ')} (${status})`);
      if (status >= 500) faults.push(`${keyOf(route)} failed: ${status} ${text.slice(0, 200)}`);
    }
    assert.ok(faults.length === 0, `\n${faults.join('\n')}`);
  });

  it('has none of the roles that change or grant anything', () => {
    const reading = new Set(ANALYSIS_ROLES_OF_PRIVILEGES.R);
    const changing = [...reading].filter((role) => /_(manage|create|delete|purge|trigger|run|import)$/.test(role));
    assert.deepEqual(changing, []);
  });

  it('is refused by every route that changes something with a key for everything', async () => {
    const admitted: string[] = [];
    let changing = 0;
    let before = await storedState(program);
    for (const route of guardedRoutes()) {
      await call(route, 'all');
      const changed = await storedState(program);
      const changes = stateChanges(before, changed).filter(
        (name) => !CHANGED_BY_READING.some(([, change]) => change.test(name)),
      );
      before = changed;
      if (changes.length === 0) continue;
      changing += 1;
      const { status } = await call(route, 'read');
      if (status !== 403) admitted.push(`${keyOf(route)}: ${status} (${changes.join(', ')})`);
      await saveReader();
      await saveAnalysisExampleRecords(program, ADMINISTRATOR);
      before = await storedState(program);
    }
    assert.deepEqual(admitted, []);
    assert.ok(changing > 40, `only ${changing} routes change anything: the examples no longer work`);
  });
});

function guardedRoutes(): readonly ListedRoute[] {
  return program.analysis.routes.all.filter(({ access, enveloped }) => access !== 'public' && enveloped);
}

function call(route: ListedRoute, key: keyof typeof KEYS): Promise<TestAnswer> {
  const { headers, ...sent } = exampleRequest(route);
  return program.request(pathOf(route), {
    ...sent,
    service: 'analysis',
    method: route.method,
    headers: { ...headers, 'x-user': READER, 'x-apikey': `${key}:secret` },
  });
}

function keyOf({ method, path }: ListedRoute): string {
  return `${method} ${path}`;
}

async function saveReader(): Promise<void> {
  const { users, classification } = program.foundation;
  const password = hashApiKeySecret('secret');
  // The first use of a key on a day is noted with the account.
  const last_used = new Date().toISOString();
  const { document } = readDocument(
    userDocument,
    {
      ...{ uname: READER, name: READER, type: ['admin', 'user'], classification: classification.unrestricted },
      ...{ password: 'none', agrees_with_tos: last_used },
      apikeys: Object.fromEntries(
        Object.entries(KEYS).map(([name, acl]) => [name, { acl: [...acl], agents: [], password }]),
      ),
      key_details: Object.fromEntries(Object.keys(KEYS).map((name) => [name, { last_used }])),
    },
    { unknown: 'refuse', classification },
  );
  await users.save(document);
}
