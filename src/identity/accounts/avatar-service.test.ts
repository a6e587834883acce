import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { userAvatarDocument } from '../../documents/kinds/user-records.ts';
import { type AlertServices, openAlertServices } from '../../testing/alerts/alert-services.ts';
import { AvatarService } from './avatar-service.ts';

describe('AvatarService', () => {
  let services: AlertServices;
  let avatars: AvatarService;
  beforeEach(async () => {
    services = await openAlertServices();
    avatars = new AvatarService({ avatars: services.datastore.collection(userAvatarDocument) });
  });
  afterEach(() => services.close());

  it('keeps a picture with its digest until it is removed', async () => {
    const picture = 'data:image/png;base64,AAAA';
    assert.equal(await avatars.get('ana'), undefined);
    await avatars.set('ana', picture);
    assert.deepEqual(await avatars.get('ana'), { picture, digest: createHash('sha256').update(picture).digest('hex') });
    await avatars.delete('ana');
    await avatars.delete('ana');
    assert.equal(await avatars.get('ana'), undefined);
  });

  it('refuses what is not a string, or larger than a picture has to be', async () => {
    for (const picture of ['', 5, {}, 'x'.repeat(2_000_001)]) {
      await assert.rejects(avatars.set('ana', picture), { code: 'invalid_avatar' });
    }
  });
});
