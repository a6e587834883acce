import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { type CaseServices, openCaseServices } from '../../testing/alerts/case-services.ts';
import { CORRELATION_QUEUE, type CorrelationJob } from '../workers/correlation-queue.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });

let services: CaseServices;
let id = '';
before(async () => {
  services = await openCaseServices();
});
after(() => services.close());
beforeEach(async () => {
  id = await services.aCase(low);
  await services.coordination.queues.clear(CORRELATION_QUEUE);
});

const rules = () => services.investigations.rules;
async function aRule(fields: Record<string, unknown> = {}): Promise<string> {
  const { document: changed } = await rules().add(ana, id, { query: 'message:x', destination: 'd', ...fields }, 'now');
  return changed.rules?.at(-1)?.rule_id ?? '';
}

describe('the rules of a case', () => {
  it('belong to who adds them; identifier and time are the program’s', async () => {
    const ruleId = await aRule({ author: 'mallory', rule_id: 'mine', created_at: '2000-01-01', nope: 1 });
    const stored = (await services.cases.get(ana, id))?.rules?.[0];
    assert.notEqual(ruleId, 'mine');
    assert.equal(stored?.author, 'ana');
    assert.ok(stored?.created_at.startsWith(new Date().toISOString().slice(0, 4)));
  });

  it('are changed member by member, each told in the log', async () => {
    const ruleId = await aRule({ timeframe: 3 });
    const { document: changed } = await rules().update(
      ana,
      id,
      ruleId,
      { enabled: false, timeframe: null, author: 'mallory', indexes: ['event'] },
      'now',
    );
    const [rule] = changed.rules ?? [];
    assert.deepEqual([rule?.enabled, rule?.timeframe, rule?.author, rule?.indexes], [false, undefined, 'ana', ['hit']]);
    assert.equal(
      changed.log?.at(-1)?.explanation,
      `Updated correlation rule ${ruleId}: enabled: 'True' → 'False'; timeframe: '3' → 'None'`,
    );
    assert.ok(changed.updated);
  });

  it('refuse what is not a rule, and stay as they are', async () => {
    const ruleId = await aRule({ timeframe: 3, expire_after_resolved: true });
    const before = await services.cases.get(ana, id);
    const refused: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ timeframe: 0 }, 'invalid_document'],
      [{ timeframe: 1.5 }, 'invalid_document'],
      [{ timeframe: null }, 'invalid_document'],
      [{ query: null }, 'invalid_document'],
      [{ destination: '' }, 'invalid_document'],
      [{ author: 'x' }, 'case_rule_unchanged'],
    ];
    for (const [change, code] of refused) {
      await assert.rejects(rules().update(ana, id, ruleId, change, 'now'), { code }, JSON.stringify(change));
    }
    await assert.rejects(rules().update(ana, id, 'none', { enabled: true }, 'now'), { code: 'case_rule_missing' });
    await assert.rejects(rules().remove(ana, id, 'none', 'now'), { code: 'case_rule_missing' });
    await assert.rejects(rules().add(ana, id, { query: '', destination: 'd' }, 'now'), {
      code: 'case_rule_incomplete',
    });
    await assert.rejects(aRule({ indexes: ['case'] }), { code: 'invalid_document' });
    assert.deepEqual(await services.cases.get(ana, id), before);
  });

  it('are removed', async () => {
    const [first, second] = [await aRule(), await aRule()];
    const { document: changed } = await rules().remove(ana, id, first, 'now');
    assert.deepEqual(
      changed.rules?.map(({ rule_id: one }) => one),
      [second],
    );
  });
});

describe('backfill', () => {
  const queued = async () => {
    const taken = await services.coordination.queues.take<CorrelationJob>(CORRELATION_QUEUE, { max: 100 });
    return taken.map(({ item }) => item);
  };

  it('queues the records that the caller may find, of every kind that the rule looks at', async () => {
    const marker = `m${Date.now()}`;
    const old = { message: marker, timestamp: '2025-01-01T00:00:00Z' };
    const fields = { message: marker, timestamp: '2025-03-01T00:00:00Z' };
    await services.aHit(ana, old);
    const seen = (await services.aHit(ana, fields)).howler.id;
    const secret = (await services.aHit(ana, { ...fields, classification: 'RESTRICTED' })).howler.id;
    const event = await services.anEvent(ana, fields);
    const ruleId = await aRule({ query: `message:${marker}`, indexes: ['hit', 'event', 'hit'] });
    await services.coordination.queues.clear(CORRELATION_QUEUE);
    for (const since of ['2025-02-01', '2025-03-01T00:00:00', '2025-03-01T02:00:00+02:00']) {
      assert.equal(await rules().countBackfill(low, id, ruleId, since), 2, since);
    }
    assert.equal(await rules().countBackfill(ana, id, ruleId, '2025-03-01T00:00:01Z'), 0);
    assert.equal(await rules().backfill(low, id, ruleId, '2025-02-01'), 2);
    const byId = (left: CorrelationJob, right: CorrelationJob) => (left.id < right.id ? -1 : 1);
    const jobs = (ids: readonly string[]) => ids.map((one) => ({ id: one, rule_id: ruleId })).sort(byId);
    assert.deepEqual((await queued()).sort(byId), jobs([seen, event]));
    assert.equal(await rules().backfill(ana, id, ruleId, '2025-02-01'), 3);
    assert.deepEqual((await queued()).filter((job) => job.id === secret).length, 1);
  });

  it('asks for case, rule, its being enabled and the time, in this order', async () => {
    const ruleId = await aRule({ enabled: false });
    const countBackfill = (...of: [string, string, unknown]) => rules().countBackfill(ana, ...of);
    await assert.rejects(countBackfill('none', 'none', 'soon'), { code: 'case_missing' });
    await assert.rejects(countBackfill(id, 'none', 'soon'), { code: 'case_rule_missing' });
    await assert.rejects(countBackfill(id, ruleId, 'soon'), { code: 'case_rule_disabled' });
    await rules().update(ana, id, ruleId, { enabled: true }, 'now');
    for (const since of ['soon', 'NOW', '', ' ', 5, null, undefined, {}, '2025-13-01', '2025-02-30T00:00:00Z']) {
      await assert.rejects(countBackfill(id, ruleId, since), { code: 'invalid_since' }, String(since));
    }
    assert.equal(await countBackfill(id, ruleId, '2025-01-01'), 0);
  });

  it('refuses a rule whose query is none', async () => {
    const ruleId = await aRule({ query: 'a:[' });
    await assert.rejects(rules().backfill(ana, id, ruleId, '2025-01-01'), { code: 'invalid_query' });
    assert.deepEqual(await queued(), []);
  });
});
