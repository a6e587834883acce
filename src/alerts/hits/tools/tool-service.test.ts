import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../../datastore/port/read-access.ts';
import { type AlertServices, anActor, openAlertServices } from '../../../testing/alerts/alert-services.ts';
import type { ToolBatch } from './tool-service.ts';

const EVERYTHING = unrestricted('the test looks at what is stored');
const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());

const send = (map: object, records: unknown[], changes: Partial<ToolBatch> = {}, actor = ana) =>
  services.tools.create(actor, {
    tool: 'Scanner',
    map: new Map(Object.entries(map)),
    records,
    ignoreUnknown: false,
    visible: 'now',
    ...changes,
  });
const count = () => services.hitCollection.count({ query: { kind: 'all' } }, EVERYTHING);

describe('records of a tool', () => {
  it('become alerts of the analytic that the tool is', async () => {
    const { rows, refused, warnings } = await send({ ip: ['source.ip', 'related.ip'] }, [{ ip: '10.4.4.1' }]);
    assert.equal(refused, false);
    assert.equal(warnings.length, 1);
    const { document } = await services.store.get(ana, rows[0]?.id ?? '');
    assert.deepEqual(
      [document.agent?.type, document.howler.analytic, document.source?.ip, document.related?.ip],
      ['Scanner', 'Scanner', '10.4.4.1', ['10.4.4.1']],
    );
  });

  it('are all stored or none', async () => {
    const before = await count();
    const records = [{ n: 1, raw: ['all'] }, { n: 'x', raw: ['none'] }, 'text', null];
    const { rows, refused } = await send({ n: ['howler.score'], raw: ['howler.data'] }, records);
    assert.equal(refused, true);
    assert.deepEqual(
      rows.map(({ id, error }) => [typeof id, typeof error]),
      [
        ['string', 'object'],
        ['object', 'string'],
        ['object', 'string'],
        ['object', 'string'],
      ],
    );
    assert.equal(await count(), before);
  });

  it('that are known already are left out', async () => {
    const map = { raw: ['howler.data'] };
    await send(map, [{ raw: ['known'] }]);
    const { rows, warnings } = await send(map, [{ raw: ['known'] }, { raw: ['new'] }]);
    assert.equal(rows.length, 1);
    assert.match(warnings[1] ?? '', /already exists/);
  });

  it('that someone cannot see are not known to them', async () => {
    const map = { raw: ['howler.data'], c: ['classification'] };
    await send(map, [{ raw: ['secret'], c: 'RESTRICTED' }]);
    const { rows } = await send(map, [{ raw: ['secret'] }], {}, low);
    assert.equal(rows.length, 1);
  });

  it('need targets that exist, unless they may be ignored', async () => {
    await assert.rejects(send({ a: ['nope'] }, []), { message: 'Invalid target field in the map: nope' });
    const { rows, warnings } = await send({ a: ['nope', 'howler.data'] }, [{ a: ['ignored'] }], {
      ignoreUnknown: true,
    });
    assert.equal(rows.length, 1);
    assert.ok(warnings.includes('Invalid target field in the map: nope'));
    assert.deepEqual(rows[0]?.warn, ['nope is not currently used by howler.']);
  });

  it('may be a bundle', async () => {
    const map = { b: ['howler.is_bundle'], m: ['howler.data'] };
    const { rows } = await send(map, [{ m: ['child one'] }, { b: true, m: ['root'] }, { m: ['child two'] }]);
    const caseId = rows[1]?._case_id ?? '';
    const items = (await services.cases.get(ana, caseId))?.items ?? [];
    assert.deepEqual(
      items.filter((item) => item.type === 'hit').map((item) => item.value),
      [rows[1]?.id, rows[0]?.id, rows[2]?.id],
    );
    await assert.rejects(
      send(map, [
        { b: true, m: ['x'] },
        { b: true, m: ['y'] },
      ]),
      { code: 'several_bundles' },
    );
  });

  it('of an empty batch are nothing', async () => {
    const { rows, warnings } = await send({}, []);
    assert.deepEqual([rows.length, warnings.length], [0, 2]);
  });
});
