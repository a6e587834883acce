import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { userAvatarDocument } from '../../documents/kinds/user-avatar.ts';
import { userFavoritesDocument } from '../../documents/kinds/user-favorites.ts';
import { userSettingsDocument } from '../../documents/kinds/user-settings.ts';
import { AvatarService } from '../../identity/accounts/avatar-service.ts';
import { FavoriteService } from './favorite-service.ts';
import { UserSettingsService } from './user-settings-service.ts';

/** What is kept by the name of a user beside the account, and goes with it. */
export interface UserOwnedData {
  readonly avatars: AvatarService;
  readonly userSettings: UserSettingsService;
  readonly favorites: FavoriteService;
}

/**
 * Made once for all services of a process: each remembers for a second what it read, and forgets at once what is changed or deleted through it.
 * @param parts.classification of the installation
 */
export function openUserOwnedData(parts: {
  readonly datastore: Datastore;
  readonly classification: ClassificationEngine;
  readonly settings: Config['analysis'];
}): UserOwnedData {
  const { datastore, settings } = parts;
  // As the analysis service reads it, which alone has settings and favourites.
  const classification = parts.classification.whenNotEnforced('unrestricted');
  return {
    avatars: new AvatarService({ avatars: datastore.collection(userAvatarDocument) }),
    userSettings: new UserSettingsService({
      stored: datastore.collection(userSettingsDocument),
      classification,
      settings,
    }),
    favorites: new FavoriteService({ favorites: datastore.collection(userFavoritesDocument), classification }),
  };
}
