import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type View, viewDocument } from '../../documents/kinds/view.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../testing/alerts/alert-services.ts';
import { readInput } from '../../testing/read-input.ts';
import { OwnershipService } from './ownership-service.ts';
import { PermissionBody } from './permission-routes.ts';

const ana = anActor();
const ben = anActor({ username: 'ben' });
const cem = anActor({ username: 'cem' });
const KNOWN = ['ana', 'ben', 'cem', 'dua'];

describe('OwnershipService', () => {
  let services: AlertServices;
  let views: Collection<View>;
  let ownership: OwnershipService;

  beforeEach(async () => {
    services = await openAlertServices();
    views = services.datastore.collection(viewDocument);
    ownership = new OwnershipService({
      users: { get: async (name) => (KNOWN.includes(name) ? ({} as never) : undefined) },
    });
    const input = {
      view_id: 'v',
      title: 'V',
      query: 'a',
      type: 'personal',
      owner: 'ana',
      admins: ['ben'],
      members: ['cem'],
    };
    await views.save('v', readDocument(viewDocument, input, { unknown: 'refuse' }).document, { visible: 'now' });
  });
  afterEach(() => services.close());

  const grant = (actor: typeof ana, ...requests: { privilege: 'owner' | 'admins' | 'members'; user_id: string }[]) =>
    ownership.grant(actor, views, 'v', requests, 'now');
  const revoke = (actor: typeof ana, ...requests: { privilege: 'owner' | 'admins' | 'members'; user_id: string }[]) =>
    ownership.revoke(actor, views, 'v', requests, 'now');

  it('moves people between admins and members', async () => {
    const { admins, members } = await grant(
      ana,
      { privilege: 'admins', user_id: 'cem' },
      { privilege: 'members', user_id: 'dua' },
    );
    assert.deepEqual([admins, members], [['ben', 'cem'], ['dua']]);
  });

  it('gives a new owner what is theirs alone, and the old owner nothing', async () => {
    const { owner, admins } = await grant(ana, { privilege: 'owner', user_id: 'ben' });
    assert.deepEqual([owner, admins], ['ben', []]);
    await assert.rejects(grant(ana, { privilege: 'members', user_id: 'dua' }), { code: 'ownership_denied' });
  });

  it('lets admins grant, but not hand over, and members do neither', async () => {
    assert.deepEqual((await grant(ben, { privilege: 'members', user_id: 'dua' })).members, ['cem', 'dua']);
    await assert.rejects(grant(ben, { privilege: 'owner', user_id: 'ben' }), { code: 'ownership_denied' });
    await assert.rejects(grant(cem, { privilege: 'members', user_id: 'cem' }), { code: 'ownership_denied' });
    assert.equal((await grant(anAdministrator(), { privilege: 'owner', user_id: 'dua' })).owner, 'dua');
  });

  it('applies all requests or none', async () => {
    await assert.rejects(
      grant(ana, { privilege: 'members', user_id: 'dua' }, { privilege: 'admins', user_id: 'nobody' }),
      {
        code: 'user_missing',
      },
    );
    assert.deepEqual((await views.get('v', unrestricted('test')))?.members, ['cem']);
  });

  it('refuses two owners, and what someone has already', async () => {
    await assert.rejects(grant(ana, { privilege: 'owner', user_id: 'ben' }, { privilege: 'owner', user_id: 'cem' }), {
      code: 'too_many_owners',
    });
    await assert.rejects(grant(ana, { privilege: 'admins', user_id: 'ben' }), { code: 'permission_held' });
  });

  it('takes privileges away, but never the owner', async () => {
    assert.deepEqual((await revoke(ben, { privilege: 'members', user_id: 'cem' })).members, []);
    await assert.rejects(revoke(ana, { privilege: 'members', user_id: 'cem' }), { code: 'permission_not_held' });
    await assert.rejects(revoke(ana, { privilege: 'owner', user_id: 'ana' }), { code: 'owner_not_removable' });
  });

  it('answers a missing object as bad input, which clients expect', async () => {
    await assert.rejects(ownership.grant(ana, views, 'none', [{ privilege: 'members', user_id: 'ben' }], 'now'), {
      kind: 'invalid_input',
      message: 'View none does not exist',
    });
  });

  it('loses no grant of two that come at once', async () => {
    await Promise.all([
      grant(ana, { privilege: 'members', user_id: 'dua' }),
      grant(ana, { privilege: 'admins', user_id: 'cem' }),
    ]);
    const view = await views.get('v', unrestricted('test'));
    assert.deepEqual([view?.admins, view?.members], [['ben', 'cem'], ['dua']]);
  });
});

describe('a permission request', () => {
  it('is a list of entries, each about someone else', () => {
    assert.throws(() => readInput(PermissionBody, {}), { message: 'Request body must be a JSON array.' });
    assert.throws(() => readInput(PermissionBody, []), {
      message: 'Request body must contain at least one permission.',
    });
    assert.throws(() => readInput(PermissionBody, ['x']), { message: /must be constructed with dict like/ });
    assert.throws(() => readInput(PermissionBody, [{ privilege: 'wizard', user_id: 'a' }]), {
      at: 'permissionrequest.privilege',
    });
    assert.throws(
      () =>
        readInput(PermissionBody, [
          { privilege: 'members', user_id: 'a' },
          { privilege: 'admins', user_id: 'a' },
        ]),
      { message: 'Each user can only be included once per request.' },
    );
  });
});
