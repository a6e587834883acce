import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { userDocument } from '../../documents/kinds/user.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { UserStore } from '../../identity/user-store.ts';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
  testClassification,
} from '../../testing/alerts/alert-services.ts';
import { ViewService } from './view-service.ts';

const ana = anActor();
const ben = anActor({ username: 'ben' });
const root = anAdministrator();
const aView = (changes: object = {}) => ({ title: 'Phishing', query: 'howler.id:*', type: 'global', ...changes });

describe('ViewService', () => {
  let services: AlertServices;
  let views: ViewService;
  let users: UserStore;

  beforeEach(async () => {
    services = await openAlertServices();
    users = new UserStore({ users: services.datastore.collection(userDocument) });
    for (const uname of ['ana', 'ben', 'root']) {
      await users.save(
        readDocument(
          userDocument,
          { uname, name: uname, password: 'x' },
          { unknown: 'refuse', classification: testClassification },
        ).document,
      );
    }
    views = new ViewService({ views: services.datastore.collection(viewDocument), users });
  });
  afterEach(() => services.close());

  it('makes the caller the owner, regardless of what was sent, and invents the identifier', async () => {
    const view = await views.create(ana, aView({ owner: 'ben', view_id: 'mine', unknown: 1 }), 'now');
    assert.equal(view.owner, 'ana');
    assert.notEqual(view.view_id, 'mine');
    assert.deepEqual(view.indexes, ['hit']);
  });

  it('makes a personal view a favourite at once, a global one not', async () => {
    const personal = await views.create(ana, aView({ type: 'personal' }), 'now');
    await views.create(ana, aView(), 'now');
    assert.deepEqual((await users.get('ana'))?.favourite_views, [personal.view_id]);
  });

  it('says which of title, query and type is missing, and where a query is broken', async () => {
    for (const key of ['title', 'query', 'type']) {
      const { [key as 'title']: _left, ...rest } = aView();
      await assert.rejects(views.create(ana, rest, 'now'), {
        code: 'view_incomplete',
        message: `You must specify a ${key} when creating a view.`,
      });
    }
    await assert.rejects(views.create(ana, aView({ query: 'a:[' }), 'now'), (error: { code: string; at: unknown }) => {
      assert.equal(error.code, 'invalid_query');
      assert.equal(typeof error.at, 'number');
      return true;
    });
    await assert.rejects(views.create(ana, aView({ type: 'odd' }), 'now'), {
      code: 'invalid_document',
      at: 'view.type',
    });
  });

  it('lists global views, own ones and those shared with the caller, by title', async () => {
    await views.create(ben, aView({ title: 'c global' }), 'now');
    await views.create(ana, aView({ title: 'B own', type: 'personal' }), 'now');
    await views.create(ben, aView({ title: 'hidden', type: 'personal' }), 'now');
    await views.create(ben, aView({ title: 'a shared', type: 'personal', members: ['ana'] }), 'now');
    const titles = (await views.list(ana)).map((item) => item.document.title);
    assert.deepEqual(titles, ['a shared', 'B own', 'c global']);
  });

  it('lets owners, admins of the view and administrators change it, no one else', async () => {
    const { view_id: id } = await views.create(ana, aView({ admins: ['ben'] }), 'now');
    for (const actor of [ana, ben, root]) {
      assert.equal((await views.update(actor, id, { title: actor.username }, 'now')).title, actor.username);
    }
    await assert.rejects(views.update(anActor({ username: 'cem' }), id, { title: 'x' }, 'now'), {
      code: 'view_not_owned',
    });
  });

  it('changes settings member by member and replaces lists', async () => {
    const { view_id: id } = await views.create(
      ana,
      aView({ settings: { display: 'list', columns: [{ field: 'a', width: 1 }] }, indexes: ['hit', 'event'] }),
      'now',
    );
    const { settings, indexes } = await views.update(
      ana,
      id,
      { settings: { advance_on_triage: true, columns: [] }, indexes: ['case'] },
      'now',
    );
    assert.deepEqual(settings, { advance_on_triage: true, display: 'list', columns: [] });
    assert.deepEqual(indexes, ['case']);
  });

  it('does not change identifier or permissions, and keeps the view when the query is broken', async () => {
    const { view_id: id } = await views.create(ana, aView(), 'now');
    await assert.rejects(views.update(ana, id, { view_id: 'x' }, 'now'), { code: 'view_id_fixed' });
    for (const key of ['owner', 'admins', 'members']) {
      await assert.rejects(views.update(ana, id, { [key]: ['ben'] }, 'now'), { code: 'permissions_elsewhere' });
    }
    await assert.rejects(views.update(ana, id, { title: 'new', query: '(' }, 'now'), { code: 'invalid_query' });
    assert.equal((await views.list(ana))[0]?.document.title, 'Phishing');
  });

  it('leaves views of the system alone', async () => {
    const { view_id: id } = await views.create(root, aView({ type: 'readonly' }), 'now');
    await assert.rejects(views.update(root, id, { title: 'x' }, 'now'), { code: 'view_readonly' });
    await assert.rejects(views.delete(root, id, 'now'), { code: 'view_readonly' });
  });

  it('lets owners and administrators delete, admins of the view not', async () => {
    const { view_id: id } = await views.create(ana, aView({ admins: ['ben'] }), 'now');
    await assert.rejects(views.delete(ben, id, 'now'), { code: 'view_not_owned' });
    await views.delete(root, id, 'now');
    await assert.rejects(views.delete(ana, id, 'now'), { code: 'view_missing' });
  });

  it('keeps favourites to views that the caller may use', async () => {
    const { view_id: id } = await views.create(ana, aView({ type: 'personal', members: ['ben'] }), 'now');
    await views.addFavourite(ben, id);
    await views.addFavourite(ben, id);
    assert.deepEqual((await users.get('ben'))?.favourite_views, [id]);
    await assert.rejects(views.addFavourite(anActor({ username: 'cem' }), id), { code: 'view_not_shared' });
    await views.removeFavourite(ben, id);
    await assert.rejects(views.removeFavourite(ben, id), { code: 'favourite_missing' });
  });

  it('loses no change of two that come at once', async () => {
    const { view_id: id } = await views.create(ana, aView(), 'now');
    await Promise.all([
      views.update(ana, id, { title: 'new' }, 'now'),
      views.update(ana, id, { sort: 'a asc' }, 'now'),
    ]);
    const [item] = await views.list(ana);
    assert.deepEqual([item?.document.title, item?.document.sort], ['new', 'a asc']);
  });
});
