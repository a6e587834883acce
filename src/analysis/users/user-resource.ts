import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { heuristicDocument } from '../../documents/kinds/heuristic.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import type { Envelope } from '../../http/answers/envelope.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import type { DailyCounts } from '../../identity/limits/daily-counts.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { HeuristicSignatures } from '../search-fields/heuristic-signatures.ts';
import { AccountService } from './account-service.ts';
import { avatarRoutes } from './avatar-routes.ts';
import { favoriteRoutes } from './favorite-routes.ts';
import { RemainingQuotas } from './remaining-quotas.ts';
import type { UserOwnedData } from './user-owned-data.ts';
import { userRoutes } from './user-routes.ts';
import { userSettingsRoutes } from './user-settings-routes.ts';
import { Whoami } from './whoami.ts';

export interface UserResourceDependencies extends UserOwnedData {
  readonly settings: Config;
  readonly datastore: Datastore;
  readonly classification: ClassificationEngine;
  /** That accounts are stored with, which all services share. */
  readonly storedClassification: ClassificationEngine;
  readonly users: UserStore;
  readonly accounts: UserAccounts;
  readonly counts: Pick<DailyCounts, 'get'>;
  readonly envelope: Envelope;
  /** Version of the program. */
  readonly version: string;
}

/** Everything below `/api/v4/user/`. */
export function createUserResource(dependencies: UserResourceDependencies): readonly RouteModule[] {
  const { settings, datastore, classification, users, accounts, counts, envelope, version } = dependencies;
  const { avatars, userSettings, favorites } = dependencies;
  const signatures = new HeuristicSignatures({ heuristics: datastore.collection(heuristicDocument), classification });
  return [
    userRoutes({
      users,
      collection: datastore.collection(userDocument),
      accounts,
      accountService: new AccountService({
        accounts,
        classification,
        storedClassification: dependencies.storedClassification,
        settings: settings.analysis,
      }),
      avatars,
      userSettings,
      whoami: new Whoami({ users, avatars, userSettings, signatures, settings, classification, envelope, version }),
      remaining: new RemainingQuotas({ counts, settings }),
      classification,
      settings: settings.analysis,
    }),
    avatarRoutes({ avatars }),
    favoriteRoutes({ favorites }),
    userSettingsRoutes({ users, userSettings, classification }),
  ];
}
