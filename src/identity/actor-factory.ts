import type { ClassificationEngine } from '../classification/classification.ts';
import { type ReadAccess, unrestricted } from '../datastore/port/read-access.ts';
import { clearanceOf, readAccessFor, readAccessOfQuery } from './accounts/read-access.ts';
import { type Actor, type AuthenticationMethod, PASSWORD_PRIVILEGES, type Privilege, ROLES } from './actor.ts';
import type { IdentityLog } from './identity-log.ts';
import { DerivedFromUser, type RecentUser } from './user-store.ts';

export interface ActorFactoryDependencies {
  readonly engine: ClassificationEngine;
  /** `auth.users_without_access_control`: what searches of users without a stored filter find. */
  readonly usersWithoutAccessControl: 'computed' | 'unfiltered';
  readonly log: IdentityLog;
}

/** What of an actor comes from the credential. */
export interface Grant {
  readonly method: AuthenticationMethod;
  readonly privileges: readonly Privilege[];
  readonly keyName: string | undefined;
  readonly impersonator: string | undefined;
}

/** What of an actor comes from the user. */
type Account = Omit<Actor, 'privileges' | 'hasFullScope' | 'method' | 'keyName' | 'impersonator'>;

const ADMINISTRATOR_ACCESS = unrestricted('user type admin sees every record that it asks for by its identifier');
const UNFILTERED_ACCESS = unrestricted('auth.users_without_access_control is unfiltered');
const DEFAULT_QUOTA = 25;

/** Makes actors of users. What is made is kept beside the user object, and goes with it when the user changes. */
export class ActorFactory {
  readonly #dependencies: ActorFactoryDependencies;
  readonly #derived = new DerivedFromUser();

  constructor(dependencies: ActorFactoryDependencies) {
    this.#dependencies = dependencies;
  }

  /** The actor of a user with a credential. */
  actorOf(user: RecentUser, grant: Grant): Actor {
    const key = JSON.stringify([grant.method, grant.keyName, grant.impersonator, grant.privileges]);
    return this.#derived.getOrMake(user, key, () => {
      const privileges = new Set(grant.privileges);
      const hasFullScope = grant.impersonator === undefined && PASSWORD_PRIVILEGES.every((one) => privileges.has(one));
      return { ...this.#accountOf(user), ...grant, privileges, hasFullScope };
    });
  }

  #accountOf(user: RecentUser): Account {
    const classification = clearanceOf(user, this.#dependencies.engine, this.#dependencies.log);
    const roles = new Set(ROLES.filter((role) => user.type.includes(role)));
    const isAdmin = roles.has('admin');
    const computed = readAccessFor(this.#dependencies.engine, classification, user.uname);
    return {
      username: user.uname,
      name: user.name,
      email: user.email ?? undefined,
      roles,
      isAdmin,
      groups: user.groups,
      classification,
      searchAccess: this.#searchAccessOf(user, computed),
      readAccess: isAdmin ? ADMINISTRATOR_ACCESS : computed,
      quota: user.api_quota ?? DEFAULT_QUOTA,
    };
  }

  #searchAccessOf(user: RecentUser, computed: ReadAccess): ReadAccess {
    const stored = user.access_control;
    if (stored === undefined || stored === null || stored === '') {
      return this.#dependencies.usersWithoutAccessControl === 'unfiltered'
        ? { ...UNFILTERED_ACCESS, username: user.uname }
        : computed;
    }
    try {
      return readAccessOfQuery(stored, user.uname);
    } catch (error) {
      this.#dependencies.log.error(
        { user: user.uname, err: error },
        `the stored access_control of user ${user.uname} is not a query; the filter of their classification is used`,
      );
      return computed;
    }
  }
}
