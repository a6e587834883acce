import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { UserStore } from '../../identity/user-store.ts';
import type { JobRun } from '../../jobs/job.ts';
import {
  type AlertServices,
  anActor,
  openAlertServices,
  testClassification,
} from '../../testing/alerts/alert-services.ts';
import { ViewCleanup } from './view-cleanup.ts';
import { ViewService } from './view-service.ts';

const ana = anActor();

describe('the cleanup of views', () => {
  let services: AlertServices;
  let users: UserStore;
  let run: (options?: Partial<JobRun>) => ReturnType<ViewCleanup['run']>;
  before(async () => {
    services = await openAlertServices();
    users = new UserStore({ users: services.datastore.collection(userDocument) });
    const cleanup = new ViewCleanup({ views: services.datastore.collection(viewDocument), users });
    run = (options = {}) =>
      cleanup.run({ signal: new AbortController().signal, dryRun: false, progress: () => undefined, ...options });
  });
  after(() => services.close());

  const card = (type: User['dashboard'][number]['type'], entry_id: string) => ({ type, entry_id, config: '{}' });
  const aUser = async (uname: string, dashboard: User['dashboard']) => {
    const input = { uname, name: uname, password: 'none', dashboard };
    await users.save(
      readDocument(userDocument, input, { unknown: 'refuse', classification: testClassification }).document,
    );
  };
  const cards = async (uname: string) => (await users.get(uname))?.dashboard.map(({ entry_id }) => entry_id);

  it('removes cards of views that are gone, and nothing else', async () => {
    const views = new ViewService({ views: services.datastore.collection(viewDocument), users });
    const input = { title: 'Open', query: 'howler.status:open', type: 'global' };
    const { view_id: kept } = await views.create(ana, input, 'now');
    await aUser('ana', [card('view', kept), card('view', 'gone'), card('analytic', 'gone'), card('case', 'gone')]);
    await aUser('bob', [card('view', kept)]);
    await aUser('carol', []);
    assert.deepEqual(await run({ dryRun: true }), [{ name: 'dashboards', outcome: 'done', changed: 1 }]);
    assert.equal((await cards('ana'))?.length, 4);
    const seen: [number, number][] = [];
    const steps = await run({ progress: (done, total) => seen.push([done, total]) });
    assert.deepEqual(steps, [{ name: 'dashboards', outcome: 'done', changed: 1 }]);
    assert.deepEqual(await cards('ana'), [kept, 'gone', 'gone']);
    assert.deepEqual(await cards('bob'), [kept]);
    assert.deepEqual(seen.at(-1), [3, 3]);
    assert.deepEqual(await run(), [{ name: 'dashboards', outcome: 'done', changed: 0 }]);
  });

  it('stops when it is told to', () =>
    assert.rejects(run({ signal: AbortSignal.abort(new Error('stopped')) }), /stopped/));
});
