import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { anActor, testClassification } from '../../testing/alerts/alert-services.ts';
import { type CaseServices, openCaseServices } from '../../testing/alerts/case-services.ts';
import { type TaskFilter, type TaskSearch, taskSearch } from './task-service.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });

let services: CaseServices;
let tasks: TaskSearch;
before(async () => {
  services = await openCaseServices();
  const { caseCollection: cases } = services;
  tasks = taskSearch({ cases, classification: testClassification, searchesUnfiltered: false });
  await services.aCase(ana, {
    title: 'first',
    items: [{ id: 'i1', type: 'markdown', name: 'note', value: 'v' }],
    tasks: [
      { id: 'b', summary: 'second', assignment: 'low', item: 'i1' },
      { id: 'a', summary: 'first', assignment: 'low' },
      { id: 'c', summary: 'done', assignment: 'low', complete: true },
      { id: 'd', summary: 'of another', assignment: 'ana' },
      { id: 'e', summary: 'of nobody' },
    ],
  });
  await services.aCase(ana, { title: 'second', tasks: [{ id: 'f', summary: 'third', assignment: 'low' }] });
  const hidden = { id: 'g', summary: 'hidden', assignment: 'low' };
  await services.aCase(ana, { title: 'hidden', classification: 'RESTRICTED', tasks: [hidden] });
});
after(() => services.close());

const search = (filter: TaskFilter = 'incomplete', offset = 0, rows = 25, actor = low) =>
  tasks(actor, { filter, offset, rows });
const idsOf = async (...args: Parameters<typeof search>) => (await search(...args)).items.map(({ task }) => task.id);

describe('the tasks of someone', () => {
  it('are those given to them in cases that they may find, in a steady order', async () => {
    const ids = await idsOf();
    assert.deepEqual(
      ids.filter((id) => id !== 'f'),
      ['a', 'b'],
    );
    assert.ok(ids.includes('f') && ids.length === 3);
    assert.deepEqual(await idsOf('complete'), ['c']);
    assert.equal((await idsOf('all')).length, 4);
    assert.deepEqual(await idsOf('incomplete', 0, 25, ana), ['d']);
  });

  it('come in pages that lose none and say whether more follow', async () => {
    const whole = await idsOf('all');
    const paged: string[] = [];
    for (let offset = 0; offset < 4; offset += 1) {
      const page = await search('all', offset, 1);
      assert.deepEqual([page.offset, page.rows, page.has_more], [offset, 1, offset < 3]);
      paged.push(...page.items.map(({ task }) => task.id));
    }
    assert.deepEqual(paged, whole);
    assert.deepEqual(await search('all', 4, 5), { items: [], offset: 4, rows: 5, has_more: false });
  });

  it('come with what people have to know of the case', async () => {
    const found = (await search()).items.find(({ task }) => task.id === 'b');
    assert.deepEqual(found?.task, { id: 'b', complete: false, assignment: 'low', summary: 'second', item: 'i1' });
    const { case_id: id, ...shown } = found?.case ?? {};
    assert.ok(id);
    assert.deepEqual(shown, {
      __index: 'case',
      title: 'first',
      status: 'open',
      items: [{ id: 'i1', name: 'note', value: 'v', classification: 'UNRESTRICTED' }],
    });
  });

  it('are refused where the installation searches without a filter and the caller has none', async () => {
    const { caseCollection: cases } = services;
    const unfiltered = taskSearch({ cases, classification: testClassification, searchesUnfiltered: true });
    const page = { filter: 'all', offset: 0, rows: 25 } as const;
    const everybody = anActor({ searchAccess: unrestricted('this user has no filter') });
    await assert.rejects(unfiltered(everybody, page), { kind: 'forbidden', code: 'search_unfiltered' });
    assert.equal((await unfiltered(low, page)).items.length, 4);
  });
});
