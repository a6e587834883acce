import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../testing/alerts/alert-services.ts';
import { type FinishedRun, MAX_REPORTS } from './run-reports.ts';

const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const high = anActor();
const run = (message: string, classification = 'UNRESTRICTED'): FinishedRun => ({
  cause: 'create',
  user: 'ana',
  about: [{ classification }],
  outcomes: [{ operation_id: 'add_label', outcome: 'success', title: 'Done', message }],
});

describe('the reports of runs', () => {
  let services: AlertServices;
  before(async () => {
    services = await openAlertServices();
  });
  after(() => services.close());
  const messages = async (subject: string, actor = high) =>
    (await services.reports.list(actor, subject)).map(({ outcomes }) => outcomes[0]?.message);

  it('are the last ones, with shortened messages', async () => {
    for (let count = 0; count < MAX_REPORTS + 5; count += 1) {
      await services.reports.add('many', run(`${count} ${'x'.repeat(1000)}`));
    }
    const reports = await messages('many');
    assert.equal(reports.length, MAX_REPORTS);
    assert.ok(reports.every((message) => message?.length === 500 && Number.parseInt(message, 10) >= 5));
  });

  it('are shown to users who may see all records of the run', async () => {
    await services.reports.add('levels', run('open'));
    await services.reports.add('levels', run('secret', 'RESTRICTED'));
    assert.deepEqual(await messages('levels', low), ['open']);
    assert.equal((await messages('levels', high)).length, 2);
    assert.equal((await messages('levels', anAdministrator())).length, 2);
    assert.deepEqual(await messages('none'), []);
  });

  it('name the actions that an item of a queue is finished for', async () => {
    assert.deepEqual([...(await services.reports.finished('item'))], []);
    await services.reports.finish('item', new Set(['a', 'b']));
    assert.deepEqual([...(await services.reports.finished('item'))], ['a', 'b']);
    await services.reports.forget(['item', 'other']);
    assert.deepEqual([...(await services.reports.finished('item'))], []);
  });
});
