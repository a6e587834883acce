import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { bootstrapCollections } from '../../datastore/bootstrap/bootstrap-collections.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { SILENT } from '../../datastore/port/datastore-logger.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import type { JobRun } from '../../jobs/job.ts';
import { anAdministrator } from '../../testing/alerts/alert-services.ts';
import { type CaseServices, EVERYTHING, openCaseServices } from '../../testing/alerts/case-services.ts';
import { until } from '../../testing/until.ts';
import { CASES_CHANNEL } from '../cases/case-store.ts';
import { Retention } from './retention.ts';
import type { RetentionSettings } from './retention-limits.ts';

const root = anAdministrator();
const NOW = new Date('2026-06-15T12:00:00.000Z');
const DAY = 86_400_000;
const MATCH_ALL = { kind: 'all' } as const;
const SETTINGS: RetentionSettings = {
  enabled: true,
  limit_unit: 'days',
  limit_amount: 350,
  crontab: '0 0 * * *',
  rules: [],
};

let services: CaseServices;
beforeEach(async () => {
  services = await openCaseServices();
});
afterEach(() => services.close());

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY).toISOString();
const aHit = async (created: string, fields: Record<string, unknown> = {}) =>
  (await services.aHit(root, { 'event.created': created, ...fields })).howler.id;
const remains = async (id: string) => (await services.hitCollection.get(id, EVERYTHING)) !== undefined;
const aCaseWith = (hits: readonly string[], fields: Record<string, unknown> = {}) =>
  services.aCase(root, { items: hits.map((value) => ({ type: 'hit', value, name: value })), ...fields });
const storedCase = async (id: string) => {
  const found = await services.caseCollection.get(id, EVERYTHING);
  assert.ok(found);
  return found;
};

function run(
  settings: Partial<RetentionSettings> = {},
  { hits = services.hitCollection, ...options }: Partial<JobRun> & { readonly hits?: Collection<Hit> } = {},
) {
  const retention = new Retention({
    hits,
    analytics: services.analyticCollection,
    cases: services.cases,
    settings: { ...SETTINGS, ...settings },
    deleted: services.deleted,
    now: () => NOW,
  });
  return retention.run({
    signal: new AbortController().signal,
    dryRun: false,
    progress: () => undefined,
    ...options,
  });
}

const rule = (name: string, query: string, limit_amount: number, changes: object = {}) =>
  ({ name, query, limit_amount, limit_unit: 'days', enabled: true, ...changes }) as RetentionSettings['rules'][number];

describe('the limits of retention', () => {
  it('are the start of a day for the age, to the millisecond for the expiry', async () => {
    const cutoff = '2025-06-30';
    const gone = [
      await aHit(daysAgo(400)),
      await aHit(daysAgo(400), { 'howler.assignment': 'ana', 'howler.status': 'in-progress' }),
      await aHit(daysAgo(400), { classification: 'RESTRICTED' }),
      await aHit(daysAgo(400), { timestamp: NOW.toISOString() }),
      await aHit(daysAgo(400), { 'howler.expiry': daysAgo(-1) }),
      await aHit('2025-06-29T23:59:59.999Z'),
      await aHit(daysAgo(1), { 'howler.expiry': '2026-06-15T11:59:59.000Z' }),
      await aHit(daysAgo(1), { 'howler.expiry': daysAgo(300) }),
    ];
    const kept = [
      await aHit(daysAgo(1), { timestamp: daysAgo(800) }),
      await aHit(`${cutoff}T00:00:00.000Z`),
      await aHit(`${cutoff}T12:00:00.000Z`),
      await aHit(daysAgo(349)),
      await aHit(daysAgo(1), { 'howler.expiry': daysAgo(-1) }),
    ];
    const event = await services.anEvent(root, { 'event.created': daysAgo(400) });
    const steps = await run();
    for (const id of gone) assert.equal(await remains(id), false);
    for (const id of kept) assert.equal(await remains(id), true);
    assert.ok(await services.eventCollection.get(event, EVERYTHING));
    assert.deepEqual(steps, [
      { name: 'age', outcome: 'done', changed: 6, detail: 'event.created before 2025-06-30T00:00:00.000Z' },
      { name: 'expiry', outcome: 'done', changed: 2, detail: 'howler.expiry before 2026-06-15T12:00:00.000Z' },
      { name: 'cases', outcome: 'done', changed: 0 },
      { name: 'analytics', outcome: 'done', changed: 0 },
    ]);
  });

  it('are those of each rule; one that is broken or off is reported and stops no other', async () => {
    const detected = (detection: string, created: string) => aHit(created, { 'howler.detection': detection });
    const [long, short, off] = [
      await detected('RuleShort', daysAgo(11)),
      await detected('RuleShort', daysAgo(9)),
      await detected('RuleOff', daysAgo(11)),
    ];
    const [late, recent] = [await detected('RuleLast', daysAgo(1)), await detected('RuleLast', daysAgo(1 / 24))];
    const steps = await run({
      rules: [
        rule('short', 'howler.detection:RuleShort', 10),
        rule('broken', 'a:(', 1),
        rule('off', 'howler.detection:RuleOff', 1, { enabled: false }),
        rule('last', 'howler.detection:RuleLast', 2, { limit_unit: 'hours' }),
        rule('endless', '*:*', Number.MAX_SAFE_INTEGER, { limit_unit: 'weeks' }),
      ],
    });
    assert.deepEqual(await Promise.all([long, short, off, late, recent].map(remains)), [
      false,
      true,
      true,
      false,
      true,
    ]);
    assert.deepEqual(
      steps.slice(2, 7).map(({ name, outcome, changed }) => [name, outcome, changed]),
      [
        ['rule short', 'done', 1],
        ['rule broken', 'failed', 0],
        ['rule off', 'skipped', 0],
        ['rule last', 'done', 1],
        ['rule endless', 'done', 0],
      ],
    );
    assert.match(steps[3]?.detail ?? '', /Query: a:\($/);
    assert.deepEqual(
      [steps[4]?.detail, steps[5]?.detail],
      ['disabled', 'event.created before 2026-06-15T10:00:00.000Z'],
    );
  });

  it('apply in every generation', async () => {
    const { admin, capabilities } = services.datastore;
    const ilm = { enabled: true, rollover_max_age: '30d', rollover_max_size: '50gb', indices: {} };
    await bootstrapCollections({ admin, capabilities, definitions: [hitDocument], ilm, logger: SILENT });
    const alias = `${admin.prefix}-hit`;
    const cold = [await aHit(daysAgo(400)), await aHit(daysAgo(1))];
    await admin.rollover(alias, { force: true });
    await admin.switchAliases([{ kind: 'add', index: `${alias}-000001`, alias: `${alias}_cold` }]);
    const hot = [await aHit(daysAgo(400)), await aHit(daysAgo(1))];
    assert.equal((await run())[0]?.changed, 2);
    assert.deepEqual(await Promise.all([...cold, ...hot].map(remains)), [false, true, false, true]);
  });
});

describe('what refers to deleted alerts', () => {
  it('are cases, which lose the items and what names them, count again, log it and are reported', async () => {
    const old = await aHit(daysAgo(400), { 'howler.outline.threat': '203.0.113.7', 'related.ip': ['192.0.2.1'] });
    const young = await aHit(daysAgo(1), { 'howler.outline.threat': '198.51.100.9' });
    const items = [
      { id: 'folder', type: 'folder', name: 'evidence', value: '' },
      { id: 'old', type: 'hit', value: old, name: 'old', parent: 'folder' },
      { id: 'young', type: 'hit', value: young, name: 'young' },
      { id: 'link', type: 'reference', value: `https://triad.example/${old}`, name: 'link' },
    ];
    const id = await services.aCase(root, {
      items,
      tasks: [
        { id: 't1', summary: 'look', item: 'old' },
        { id: 't2', summary: 'look', item: 'young' },
      ],
      enrichments: [
        { item: 'old', annotations: ['a'] },
        { item: 'young', annotations: ['b'] },
      ],
    });
    const hidden = await aCaseWith([old]);
    await services.investigations.cases.hide(root, [hidden], 'now');
    const before = await storedCase(id);
    const reported: string[] = [];
    await services.coordination.events.subscribe(CASES_CHANNEL, (_channel, payload) => {
      reported.push((payload as { case: { case_id: string } }).case.case_id);
    });
    const steps = await run();
    assert.equal(steps.find(({ name }) => name === 'cases')?.changed, 2);
    const after = await storedCase(id);
    assert.deepEqual(
      after.items?.map((item) => item.id),
      ['folder', 'young', 'link'],
    );
    assert.deepEqual([after.threats, after.indicators], [['198.51.100.9'], []]);
    assert.deepEqual(
      after.tasks?.map(({ item }) => item),
      [undefined, 'young'],
    );
    assert.deepEqual(
      after.enrichments?.map(({ item }) => item),
      ['young'],
    );
    assert.equal(after.updated, before.updated);
    assert.deepEqual(
      after.log?.slice(before.log?.length).map(({ user, explanation }) => [user, explanation]),
      [['retention', `Removed by retention: ${old}`]],
    );
    assert.deepEqual((await storedCase(hidden)).items, []);
    await until('both cases were reported', () => reported.length === 2);
    assert.deepEqual(reported.toSorted(), [hidden, id].toSorted());
  });

  it('are cases that their alerts do not list, as those of other programs', async () => {
    const old = await aHit(daysAgo(400));
    const id = await aCaseWith([old]);
    await services.hitCollection.update(old, [{ op: 'set', path: 'howler.related', value: [] }]);
    await run();
    assert.deepEqual((await storedCase(id)).items, []);
    const { log = [] } = await storedCase(id);
    await run();
    assert.equal((await storedCase(id)).log?.length, log.length, 'a second run wrote into the case');
  });

  it('are relations of other alerts, whose other entries stay', async () => {
    const old = await aHit(daysAgo(400));
    const other = await aHit(daysAgo(400), { 'howler.related': [old] });
    const young = await aHit(daysAgo(1), { 'howler.related': [old, 'a note', other] });
    const log = (await services.store.get(root, young)).document.howler.log.length;
    assert.equal((await run())[0]?.changed, 2);
    const { howler } = (await services.store.get(root, young)).document;
    assert.deepEqual([howler.related, howler.log.length], [['a note'], log]);
  });

  it('are analytics without alerts and without a rule', async () => {
    await aHit(daysAgo(400), { 'howler.analytic': 'Gone' });
    await aHit(daysAgo(400), { 'howler.analytic': 'Ruled' });
    await aHit(daysAgo(400), { 'howler.analytic': 'Typed' });
    await aHit(daysAgo(400), { 'howler.analytic': 'Kept' });
    await aHit(daysAgo(1), { 'howler.analytic': 'KEPT' });
    const stored = async () => {
      const { items } = await services.analyticCollection.search({ query: MATCH_ALL, rows: 100 }, EVERYTHING);
      return items.map(({ document }) => document.name);
    };
    const { items } = await services.analyticCollection.search({ query: MATCH_ALL, rows: 100 }, EVERYTHING);
    const set = (name: string, path: string, value: string) => {
      const id = items.find(({ document }) => document.name === name)?.id ?? '';
      return services.analyticCollection.update(id, [{ op: 'set', path, value }], { visible: 'now' });
    };
    await set('Ruled', 'rule', 'howler.id:*');
    await set('Typed', 'rule_type', 'lucene');
    const dry = await run({}, { dryRun: true });
    assert.equal(dry.at(-1)?.changed, 1);
    assert.equal((await stored()).length, 4);
    assert.equal((await run()).at(-1)?.changed, 1);
    assert.deepEqual((await stored()).toSorted(), ['Kept', 'Ruled', 'Typed']);
  });

  it('keep their alerts when they cannot be changed, and stop no others', async () => {
    const [first, second] = [await aHit(daysAgo(400)), await aHit(daysAgo(400))];
    const full = await aCaseWith([first]);
    const fine = await aCaseWith([second]);
    const entry = { timestamp: NOW.toISOString(), explanation: 'x', user: 'x' };
    const { document, version } = (await services.caseCollection.getVersioned(full, EVERYTHING)) ?? assert.fail();
    const log = Array.from({ length: 10_000 }, () => entry);
    await services.caseCollection.save(full, { ...document, log }, { ifVersion: version, visible: 'now' });
    const steps = await run();
    const step = steps.find(({ name }) => name === 'cases');
    assert.deepEqual([step?.outcome, step?.changed], ['failed', 1]);
    assert.match(step?.detail ?? '', new RegExp(`^1 could not be changed; ${full}: .*log`));
    assert.deepEqual((await storedCase(fine)).items, []);
    assert.deepEqual([await remains(first), await remains(second)], [true, false]);
  });
});

describe('a run of retention', () => {
  const many = async (count: number) => {
    const { valid } = await services.service.read(
      root,
      Array.from({ length: count }, (_, index) => ({
        'howler.analytic': 'Probe',
        'howler.hash': index.toString(16).padStart(64, '0'),
        'event.created': daysAgo(400 + index / 1000),
      })),
    );
    await services.service.create(
      root,
      valid.map(({ record }) => record),
      'now',
    );
  };
  const left = () => services.hitCollection.count({ query: MATCH_ALL }, EVERYTHING);

  it('changes nothing when it is dry, and counts each alert once', async () => {
    const old = await aHit(daysAgo(400), { 'howler.expiry': daysAgo(1), 'howler.detection': 'RuleShort' });
    const id = await aCaseWith([old]);
    const settings = { rules: [rule('short', 'howler.detection:RuleShort', 10)] };
    const steps = await run(settings, { dryRun: true });
    assert.deepEqual(
      steps.map(({ name, changed }) => [name, changed]),
      [
        ['age', 1],
        ['expiry', 0],
        ['rule short', 0],
        ['analytics', 1],
      ],
    );
    assert.equal(await remains(old), true);
    assert.equal((await storedCase(id)).items?.length, 1);
  });

  it('deletes in batches, reports its progress, and is continued after an interruption', async () => {
    await many(4500);
    const ending = new AbortController();
    const seen: [number, number][] = [];
    const interrupted = run(
      {},
      {
        signal: ending.signal,
        progress: (done, total) => {
          seen.push([done, total]);
          ending.abort(new Error('stopped'));
        },
      },
    );
    await assert.rejects(interrupted, /stopped/);
    assert.deepEqual(seen, [[2000, 4500]]);
    assert.equal(await left(), 2500);
    assert.equal((await run())[0]?.changed, 2500);
    assert.equal(await left(), 0);
  });

  it('finds the alerts of several batches, and what refers to them, at once', async () => {
    await many(4500);
    const first = await services.hitCollection.search({ query: MATCH_ALL, rows: 1, fields: [] }, EVERYTHING);
    const young = await aHit(daysAgo(1), { 'howler.related': [first.items[0]?.id] });
    const calls: string[] = [];
    const hits: Collection<Hit> = {
      ...services.hitCollection,
      search: (request, access) => {
        calls.push('search');
        return services.hitCollection.search(request, access);
      },
      facet: (request, access) => {
        if (request.field === 'howler.related') calls.push(request.field);
        return services.hitCollection.facet(request, access);
      },
      bulk: (items, options) => {
        calls.push(`${items.length} deletions`);
        return services.hitCollection.bulk(items, options);
      },
    };
    assert.equal((await run({}, { hits }))[0]?.changed, 4500);
    const deletions = ['2000 deletions', '2000 deletions', '500 deletions'];
    assert.deepEqual(calls, ['search', 'howler.related', ...deletions]);
    assert.deepEqual((await services.store.get(root, young)).document.howler.related, []);
  });

  it('keeps an alert that changes after it was found, and looks at it again', async () => {
    const old = await aHit(daysAgo(1), { 'howler.expiry': daysAgo(1) });
    let searches = 0;
    const hits: Collection<Hit> = {
      ...services.hitCollection,
      search: async (request, access) => {
        const found = await services.hitCollection.search(request, access);
        searches += 1;
        if (searches === 1) {
          const operation = { op: 'set', path: 'howler.expiry', value: daysAgo(-1) } as const;
          await services.hitCollection.update(old, [operation], { visible: 'now' });
        }
        return found;
      },
    };
    const steps = await run({}, { hits });
    assert.deepEqual([steps[1]?.outcome, steps[1]?.changed], ['done', 0]);
    assert.equal(await remains(old), true);
  });

  it('gives up alerts that are changed all the time', async () => {
    const old = await aHit(daysAgo(400));
    const hits: Collection<Hit> = {
      ...services.hitCollection,
      search: async (request, access) => {
        const found = await services.hitCollection.search(request, access);
        await services.hitCollection.update(old, [{ op: 'increment', path: 'howler.score', by: 1 }], {
          visible: 'now',
        });
        return found;
      },
    };
    const [age] = await run({}, { hits });
    assert.deepEqual([age?.outcome, age?.changed], ['failed', 0]);
    assert.match(age?.detail ?? '', /others kept changing 1 of the alerts/);
    assert.equal(await remains(old), true);
  });

  it('reads large alerts in smaller batches', async () => {
    await many(50);
    const asked: number[] = [];
    const hits: Collection<Hit> = {
      ...services.hitCollection,
      search: (request, access) => {
        asked.push(request.rows ?? 0);
        if ((request.rows ?? 0) > 500)
          throw Object.assign(new Error('Ask for fewer rows.'), { kind: 'invalid_input', code: 'result_too_large' });
        return services.hitCollection.search(request, access);
      },
    };
    assert.equal((await run({}, { hits }))[0]?.changed, 50);
    assert.deepEqual(asked, [10_000, 5000, 2500, 1250, 625, 313]);
  });
});
