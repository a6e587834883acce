import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readNewHit } from '../alerts/hits/new-record.ts';
import { DEMO_CLASSIFICATION } from '../classification/builtin-definitions.ts';
import { loadClassification } from '../classification/classification.ts';
import { MATCH_ALL } from '../datastore/port/query-tree.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { compileQuery } from '../datastore/query-language/compile-query.ts';
import { type Action, actionDocument } from '../documents/kinds/action.ts';
import { analyticDocument } from '../documents/kinds/analytic.ts';
import { caseDocument } from '../documents/kinds/case.ts';
import { dossierDocument } from '../documents/kinds/dossier.ts';
import { eventDocument } from '../documents/kinds/event.ts';
import { type Hit, hitDocument } from '../documents/kinds/hit.ts';
import { overviewDocument } from '../documents/kinds/overview.ts';
import { templateDocument } from '../documents/kinds/template.ts';
import { userDocument } from '../documents/kinds/user.ts';
import { viewDocument } from '../documents/kinds/view.ts';
import type { DocumentDefinition } from '../documents/schema/document-definition.ts';
import { UserStore } from '../identity/user-store.ts';
import { openAlertServices } from '../testing/alerts/alert-services.ts';
import { alertInputs, DETECTIONS } from './alert-inputs.ts';
import { DEMO_INDICATORS } from './demo-config.ts';
import { DemoRandom } from './demo-random.ts';
import { fillDemo } from './fill-demo.ts';

const classification = loadClassification(DEMO_CLASSIFICATION);
const NOW = new Date('2026-05-20T15:00:00Z');
const ALL = unrestricted('test');

async function setUp() {
  const services = await openAlertServices();
  const { datastore } = services;
  const users = new UserStore({ users: datastore.collection(userDocument) });
  const read = async <T>(definition: DocumentDefinition<T>): Promise<T[]> => {
    const { items } = await datastore.collection(definition).search({ query: MATCH_ALL, rows: 1000 }, ALL);
    return items.map((item) => item.document);
  };
  return { services, datastore, users, read, parts: { datastore, classification, users, now: NOW } };
}

describe('the demo', () => {
  it('is users and keys alone when asked for', async () => {
    const { services, read, parts, users } = await setUp();
    assert.equal(await fillDemo(parts, 'users'), true);
    assert.deepEqual((await read(userDocument)).map((user) => user.uname).sort(), [
      'admin',
      'goose',
      'huey',
      'shawn-h',
      'user',
    ]);
    assert.equal((await read(hitDocument)).length, 0);
    const admin = await users.get('admin');
    assert.equal(Object.keys(admin?.apikeys ?? {}).length, 13);
    const views = await read(viewDocument);
    assert.deepEqual(
      views.map((view) => `${view.owner} ${view.type} ${view.query}`).sort()[0],
      'admin readonly howler.assignment:admin',
    );
    for (const view of views) assert.deepEqual((await users.get(view.owner))?.favourite_views, [view.view_id]);
    await services.close();
  });

  it('gives the administrator a dashboard of views and analytics that exist', async () => {
    const { services, read, parts, users } = await setUp();
    await fillDemo(parts, 'all');
    const dashboard = (await users.get('admin'))?.dashboard ?? [];
    assert.deepEqual(new Set(dashboard.map(({ type }) => type)), new Set(['view', 'analytic']));
    const views = new Set((await read(viewDocument)).map((view) => view.view_id));
    const analytics = new Set((await read(analyticDocument)).map((one) => one.analytic_id));
    for (const { type, config, entry_id } of dashboard) {
      const { viewId, analyticId, limit } = JSON.parse(config);
      assert.ok(type === 'view' ? views.has(viewId) && limit > 0 : analytics.has(analyticId), config);
      assert.ok(entry_id.startsWith(viewId ?? analyticId));
    }
    assert.equal(new Set(dashboard.map(({ entry_id }) => entry_id)).size, dashboard.length);
    await services.close();
  });

  it('names no item of a case like a page of cases in the web interface', async () => {
    const { services, read, parts } = await setUp();
    await fillDemo(parts, 'all');
    const names = (await read(caseDocument)).flatMap(({ items }) =>
      (items ?? []).map(({ name }) => name?.toLowerCase()),
    );
    assert.ok(names.length > 10);
    for (const page of ['observables', 'timeline', 'rules', 'search']) assert.ok(!names.includes(page), page);
    await services.close();
  });

  it('changes nothing where there are users', async () => {
    const { services, read, parts } = await setUp();
    await fillDemo(parts, 'users');
    assert.equal(await fillDemo(parts, 'all'), false);
    assert.equal((await read(hitDocument)).length, 0);
    await services.close();
  });

  it('is the same when it is made again, and nothing of it is there twice', async () => {
    const { services, read, parts, users } = await setUp();
    await fillDemo(parts, 'all');
    const before = (await read(hitDocument)).map((hit) => withoutVersions(hit));
    for (const user of await users.list()) await users.delete(user.uname);
    await fillDemo(parts, 'all');
    assert.deepEqual(
      (await read(hitDocument)).map((hit) => withoutVersions(hit)),
      before,
    );
    await services.close();
  });

  it('is what an installation has after a month', async () => {
    const { services, read, parts } = await setUp();
    await fillDemo(parts, 'all');

    const hits = (await read(hitDocument)).reverse();
    assert.equal(hits.length, 200);
    const oldest = NOW.getTime() - 31 * 86_400_000;
    for (const hit of hits) {
      const created = Date.parse(hit.event?.created ?? '');
      assert.ok(created > oldest && created <= NOW.getTime(), hit.event?.created);
      for (const entry of hit.howler.log) {
        assert.ok(
          Date.parse(entry.timestamp) >= created - 1 && Date.parse(entry.timestamp) <= NOW.getTime(),
          JSON.stringify(entry),
        );
      }
    }
    assert.ok(hits.slice(0, 20).every((hit) => hit.classification === 'UNRESTRICTED'));
    assert.ok(hits.some((hit) => hit.classification !== 'UNRESTRICTED'));
    const last = hits.at(-1);
    assert.deepEqual([last?.howler.analytic, last?.howler.detection], ['SecretAnalytic', undefined]);
    const resolved = hits.filter((hit) => hit.howler.status === 'resolved');
    assert.ok(resolved.length >= 35 && resolved.length <= 65, `${resolved.length} resolved`);
    for (const hit of resolved) assert.ok(hit.howler.assessment && hit.howler.rationale && hit.howler.triaged);
    for (const status of ['open', 'in-progress', 'on-hold'])
      assert.ok(
        hits.some((hit) => hit.howler.status === status),
        status,
      );

    assert.equal((await read(eventDocument)).length, 200);
    assert.equal((await read(actionDocument)).length, 30);
    assert.equal((await read(caseDocument)).length, 5);
    assert.equal((await read(dossierDocument)).length, 6);
    assert.equal((await read(viewDocument)).length, 15);
    assert.ok((await read(templateDocument)).length > 10);
    assert.ok((await read(overviewDocument)).length > 2);
    const analytics = await read(analyticDocument);
    assert.deepEqual(
      new Set(analytics.map((analytic) => analytic.name)),
      new Set(hits.map((hit) => hit.howler.analytic)),
    );
    assert.equal(analytics.filter((analytic) => analytic.rule).length, 3);

    for (const case_ of await read(caseDocument)) {
      const members = (case_.items ?? []).filter((item) => item.type === 'hit').map((item) => item.value);
      assert.ok(members.length > 0, case_.title);
      for (const id of members) {
        const hit = hits.find((one) => one.howler.id === id);
        assert.ok(hit?.howler.related.includes(case_.case_id), `${case_.title} ${id}`);
      }
    }
    await services.close();
  });

  it('has queries that can be run', async () => {
    const { services, read, parts } = await setUp();
    await fillDemo(parts, 'all');
    const queries = [
      ...(await read(viewDocument)).map((view) => view.query),
      ...(await read(dossierDocument)).map((dossier) => dossier.query ?? '*'),
      ...(await read(actionDocument)).map((action: Action) => action.query),
      ...(await read(caseDocument)).flatMap((one) => (one.rules ?? []).map((rule) => rule.query)),
    ];
    for (const query of queries) compileQuery(query, hitDocument);
    for (const { keys, analytic } of await read(templateDocument)) {
      for (const key of keys) assert.ok(hitDocument.fieldByPath.has(key), `${analytic}: ${key}`);
    }
    await services.close();
  });
});

describe('the alerts of the demo', () => {
  const read = (count: number) =>
    alertInputs(count, NOW, new DemoRandom(3), { everybody: 'UNRESTRICTED', few: 'RESTRICTED' }).map(
      ({ at, input }) => ({
        at,
        ...readNewHit(input, { classification, now: at }),
      }),
    );

  it('hold every value of the list of the demo', () => {
    const alerts = JSON.stringify(read(800));
    const values = readFileSync(DEMO_INDICATORS, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',')[0] ?? '');
    assert.ok(values.length > 20);
    for (const value of values) assert.ok(alerts.includes(value), value);
  });

  it('are alerts that a tool could send, without a warning', () => {
    const alerts = read(800);
    for (const { warnings } of alerts) assert.deepEqual(warnings, []);
    const seen = new Set(alerts.map(({ record }) => record.howler.detection));
    for (const { detection } of DETECTIONS) assert.ok(seen.has(detection), `${detection} never occurs`);
  });

  it('say who, what, how and where', () => {
    for (const { record: hit } of read(200)) {
      assert.match(hit.threat?.technique?.id ?? '', /^T\d{4}(\.\d{3})?$/);
      assert.match(hit.threat?.tactic?.id ?? '', /^TA\d{4}$/);
      assert.ok((hit.howler.outline?.indicators.length ?? 0) > 0);
      assert.ok(hit.message && hit.message.length > 20);
      assert.ok(Object.keys(hit.related ?? {}).length > 0);
    }
  });

  it('name no one’s real network', () => {
    for (const { record: hit } of read(300)) {
      for (const address of JSON.stringify(hit).match(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g) ?? []) {
        assert.match(address, /^(10\.|203\.0\.113\.|198\.51\.100\.|192\.0\.2\.)|^(129|537)\./, address);
      }
    }
  });
});

/** Versions count the writes of the store, which go on. */
function withoutVersions(hit: Hit): unknown {
  return { ...hit, howler: { ...hit.howler, comment: hit.howler.comment.length, log: hit.howler.log.length } };
}
