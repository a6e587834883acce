import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Case } from '../../../documents/kinds/case.ts';
import type { Actor } from '../../../identity/actor.ts';
import { anActor, anAdministrator } from '../../../testing/alerts/alert-services.ts';
import { type CaseServices, EVERYTHING, openCaseServices } from '../../../testing/alerts/case-services.ts';
import { until } from '../../../testing/until.ts';
import { CORRELATION_QUEUE } from '../../workers/correlation-queue.ts';
import { ofRule } from '../../workers/run-reports.ts';
import { CASES_CHANNEL } from '../case-store.ts';
import { MAX_AUTHOR_RULES } from './rule-book.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();

let services: CaseServices;
let words = 0;
/** A word that no other test uses. */
let word = '';
before(async () => {
  services = await openCaseServices();
  for (const actor of [ana, low, root]) services.actors.set(actor.username, actor);
  await services.investigations.book.start();
});
after(async () => {
  await services.investigations.book.stop();
  await services.close();
});
beforeEach(() => {
  words += 1;
  word = `word${words}`;
});

async function aRule(caseId: string, fields: Record<string, unknown> = {}, actor: Actor = ana): Promise<string> {
  const { rules } = services.investigations;
  const { document: changed } = await rules.add(
    actor,
    caseId,
    { query: `message:${word}`, destination: 'in/x', ...fields },
    'now',
  );
  return changed.rules?.at(-1)?.rule_id ?? '';
}
async function arrive(fields: Record<string, unknown> = {}, index: 'hit' | 'event' = 'hit'): Promise<string> {
  const record = { message: word, ...(index === 'hit' ? { 'howler.analytic': 'Probe' } : {}), ...fields };
  const { ids } = await services.ingest.create(ana, index, [record], { unknown: 'refuse', visible: 'soon' });
  return ids[0] ?? '';
}
/** Works on everything in the queue, as the worker does. */
async function correlate(): Promise<void> {
  const items = await services.coordination.queues.take(CORRELATION_QUEUE, { max: 1000 });
  await services.investigations.correlator.run(items.map(({ item }) => item));
  for (const item of items) await item.acknowledge();
}
const stored = async (caseId: string): Promise<Case> => {
  const found = await services.cases.get(root, caseId);
  if (found === undefined) throw new Error('no case');
  return found;
};
const filedIn = async (caseId: string) =>
  ((await stored(caseId)).items ?? []).filter(({ type }) => type !== 'folder').map(({ value }) => value);
const reportOf = async (ruleId: string, actor: Actor = root) =>
  (await services.reports.list(actor, ofRule(ruleId))).flatMap(({ cause, outcomes }) =>
    outcomes.map(({ outcome, message }) => `${cause} ${outcome}: ${message}`),
  );

describe('the rules of cases', () => {
  it('file new alerts and events with their folders, and report it', async () => {
    const caseId = await services.aCase(ana);
    const rule = await aRule(caseId, { destination: 'by/{{__index}}/{{howler.id}}', indexes: ['hit', 'event'] });
    const events: unknown[] = [];
    const end = await services.coordination.events.subscribe(CASES_CHANNEL, (_channel, payload) =>
      events.push(payload),
    );
    const [hit, event] = [await arrive({ 'related.ip': ['198.51.100.9'] }), await arrive({}, 'event')];
    await arrive({ message: 'another' });
    await correlate();
    assert.deepEqual((await filedIn(caseId)).toSorted(), [hit, event].toSorted());
    const found = await stored(caseId);
    assert.deepEqual(
      found.items
        ?.filter(({ type }) => type === 'folder')
        .map(({ name }) => name)
        .toSorted(),
      ['by', 'event', 'hit'],
    );
    assert.deepEqual(found.indicators, ['198.51.100.9']);
    const { howler } = (await services.hitCollection.get(hit, EVERYTHING)) ?? {};
    assert.deepEqual([howler?.related, howler?.log.length], [[caseId], 1]);
    assert.deepEqual(await reportOf(rule), ['arrival success: 2 records were filed into the case.']);
    await until('the change of the case was reported', () => events.length === 1);
    await end();
  });

  it('file a record once into a case, by the first rule that matches', async () => {
    const [one, two] = [await services.aCase(ana), await services.aCase(ana)];
    await aRule(one, { destination: 'first' });
    await aRule(one, { destination: 'second' });
    await aRule(two, { destination: 'other' });
    const hit = await arrive();
    await services.coordination.queues.push(CORRELATION_QUEUE, [hit, { id: hit, rule_id: null }]);
    await correlate();
    const names = async (id: string) => ((await stored(id)).items ?? []).map(({ name }) => name);
    assert.deepEqual([await names(one), await names(two)], [['first'], ['other']]);
  });

  it('end with their days, which may begin with the last resolution', async () => {
    const created_at = '2025-01-01T00:00:00.000000Z';
    const common = { query: `message:${word}`, destination: 'x', author: 'ana', created_at, timeframe: 3 };
    const ids: string[] = [];
    for (const expires of [false, true, true]) {
      const caseId = await services.aCase(ana);
      const rules = [{ ...common, expire_after_resolved: expires, rule_id: `${word}-${ids.length}` }];
      await services.investigations.cases.update(ana, caseId, { rules }, 'now');
      ids.push(caseId);
    }
    const [over = '', never = '', resolved = ''] = ids;
    await services.investigations.cases.update(ana, resolved, { status: 'resolved' }, 'now');
    const hit = await arrive();
    await correlate();
    assert.deepEqual([await filedIn(over), await filedIn(never), await filedIn(resolved)], [[], [hit], [hit]]);
    await services.coordination.queues.push(CORRELATION_QUEUE, [{ id: hit, rule_id: `${word}-0` }]);
    await correlate();
    assert.deepEqual(await filedIn(over), [hit], 'a backfill does not look at the days');
  });

  it('do nothing when they are disabled, removed or broken', async () => {
    const caseId = await services.aCase(ana);
    const broken = await aRule(caseId, { query: 'message:(' });
    const template = await aRule(caseId, { destination: '{{#a}}' });
    const rule = await aRule(caseId);
    await services.investigations.rules.update(ana, caseId, rule, { enabled: false }, 'now');
    const hit = await arrive();
    await services.coordination.queues.push(CORRELATION_QUEUE, [{ id: hit, rule_id: rule }]);
    await correlate();
    assert.deepEqual(await filedIn(caseId), []);
    await services.investigations.rules.update(ana, caseId, rule, { enabled: true }, 'now');
    const next = await arrive();
    await correlate();
    assert.deepEqual(await filedIn(caseId), [next]);
    await services.investigations.rules.remove(ana, caseId, rule, 'now');
    await arrive();
    await correlate();
    assert.deepEqual(await filedIn(caseId), [next]);
    assert.match((await reportOf(broken)).at(-1) ?? '', /^change error: /);
    assert.match((await reportOf(template)).at(-1) ?? '', /^change error: The destination cannot be read/);
  });

  it('act with the clearance of their author, and file nothing above the case', async () => {
    const caseId = await services.aCase(low);
    const high = await services.aCase(ana, { classification: 'RESTRICTED' });
    const [own, above] = [await aRule(caseId, {}, ana), await aRule(high, {}, ana)];
    const byLow = await services.aCase(low);
    const lowRule = await aRule(byLow, {}, low);
    const hidden = await arrive({ classification: 'RESTRICTED' });
    await correlate();
    assert.deepEqual([await filedIn(caseId), await filedIn(high), await filedIn(byLow)], [[], [hidden], []]);
    assert.match((await reportOf(own)).join(), /arrival skipped: Cannot add hit at classification RESTRICTED/);
    assert.match((await reportOf(above)).join(), /success/);
    assert.match((await reportOf(lowRule)).join(), /arrival skipped: .*not found/);
    assert.deepEqual(await reportOf(own, low), [], 'the report is about a record that they may not see');
    services.actors.delete('low');
    await arrive();
    await correlate();
    services.actors.set('low', low);
    assert.deepEqual(await filedIn(byLow), []);
    assert.match((await reportOf(lowRule)).join(), /arrival error: The author of the rule, low, is gone or disabled/);
  });

  it('take what earlier versions queued, and ignore the rest', async () => {
    const caseId = await services.aCase(ana);
    const rule = await aRule(caseId);
    const hit = await arrive();
    await services.coordination.queues.clear(CORRELATION_QUEUE);
    const items = [
      5,
      null,
      [],
      {},
      { id: 5 },
      { ids: [5] },
      { id: hit, rule_id: 5 },
      'gone',
      { id: hit, rule_id: rule },
    ];
    await services.coordination.queues.push(CORRELATION_QUEUE, items);
    await correlate();
    assert.deepEqual(await filedIn(caseId), [hit]);
    assert.deepEqual(await reportOf(rule), ['backfill success: 1 record was filed into the case.']);
  });

  it('let new records go before those of a backfill', async () => {
    const caseId = await services.aCase(ana);
    const old = await arrive();
    await services.coordination.queues.clear(CORRELATION_QUEUE);
    const rule = await aRule(caseId);
    await services.investigations.rules.backfill(ana, caseId, rule, '2000-01-01');
    const hit = await arrive();
    const taken = await services.coordination.queues.take(CORRELATION_QUEUE, { max: 2 });
    const items = taken.map(({ item }) => item);
    for (const item of taken) await item.acknowledge();
    assert.deepEqual(items, [{ ids: [hit] }, { id: old, rule_id: rule }]);
  });

  it('read dates that are relative to the present for each batch', async () => {
    const caseId = await services.aCase(ana);
    await aRule(caseId, { query: `message:${word} AND event.created:[now-1m TO now]`, destination: '{{howler.id}}' });
    await correlate();
    const hits = [await arrive(), await arrive({ 'event.created': '2001-01-01T00:00:00Z' })];
    await correlate();
    assert.deepEqual(await filedIn(caseId), hits.slice(0, 1));
  });

  it('leave those beyond the limit of an author out, say so, and take them when there is room', async () => {
    const rules = Array.from({ length: MAX_AUTHOR_RULES }, (_, number) => ({
      rule_id: `many-${number}`,
      author: 'ana',
      query: 'tags:none',
      destination: 'x',
    }));
    const many = await services.investigations.cases.create(ana, { title: 'Many', summary: 'rules', rules }, 'now');
    const caseId = await services.aCase(ana);
    const rule = await aRule(caseId);
    const ofRoot = await services.aCase(root);
    await aRule(ofRoot, {}, root);
    const hit = await arrive();
    await correlate();
    assert.deepEqual([await filedIn(caseId), await filedIn(ofRoot)], [[], [hit]]);
    assert.match((await reportOf(rule)).join(), /change error: The rule is not evaluated: at most 5000 enabled rules/);
    await services.investigations.cases.update(ana, many.case_id, { rules: [] }, 'now');
    await services.investigations.cases.update(ana, caseId, { summary: 'again' }, 'now');
    const later = await arrive();
    await correlate();
    assert.deepEqual(await filedIn(caseId), [later]);
  });

  it('complete the references that a killed program has not written', async () => {
    const caseId = await services.aCase(ana);
    await aRule(caseId);
    const hit = await arrive();
    await correlate();
    await services.hitCollection.update(hit, [{ op: 'set', path: 'howler.related', value: [] }]);
    await services.coordination.queues.push(CORRELATION_QUEUE, [hit]);
    await correlate();
    assert.deepEqual((await services.hitCollection.get(hit, EVERYTHING))?.howler.related, [caseId]);
    assert.deepEqual(await filedIn(caseId), [hit]);
  });

  it('that take too long are reported and do not keep those of other authors out', async () => {
    const costly = await services.aCase(ana);
    const fields = { query: 'message:/.*a.*b.*c.*/ OR tags:/.*a.*b.*c.*/', destination: 'x' };
    const first = await aRule(costly, fields);
    for (let count = 0; count < 30; count += 1) await aRule(costly, fields);
    const caseId = await services.aCase(root);
    await aRule(caseId, {}, root);
    const ids: string[] = [];
    for (let count = 0; count < 50; count += 1) ids.push(await arrive({ tags: ['x'.repeat(8000)] }));
    await correlate();
    assert.deepEqual((await filedIn(caseId)).toSorted(), ids.toSorted());
    assert.match((await reportOf(first)).join(), /arrival error: The rules of ana took more than/);
    await services.investigations.cases.delete(root, [costly], 'now');
  });
});
