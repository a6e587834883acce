import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { userAvatarDocument, userFavoritesDocument, userSettingsDocument } from '../../documents/kinds/user-records.ts';
import { AvatarService } from '../../identity/accounts/avatar-service.ts';
import { FavoriteService } from './favorite-service.ts';
import { UserSettingsService } from './user-settings-service.ts';

/** Data that is stored under the name of a user beside the account, and deleted with it. */
export type UserOwnedData = Readonly<ReturnType<typeof openUserOwnedData>>;

/** Opens the data of users once a process: stores cache for a second all but their own changes. */
export function openUserOwnedData(parts: {
  readonly datastore: Datastore;
  readonly classification: ClassificationEngine;
  readonly settings: Config['analysis'];
}) {
  const { datastore, settings } = parts;
  // Settings and favourites belong to the analysis service.
  const classification = parts.classification.whenNotEnforced('unrestricted');
  return {
    avatars: new AvatarService({ avatars: datastore.collection(userAvatarDocument) }),
    userSettings: new UserSettingsService({
      stored: datastore.collection(userSettingsDocument),
      classification,
      settings,
    }),
    favorites: new FavoriteService(datastore.collection(userFavoritesDocument), classification),
  };
}
