import { hash } from 'node:crypto';
import type { Locks } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { type InstallationFact, installationDocument } from '../../documents/kinds/installation.ts';
import { Conflict } from '../../errors/errors.ts';
import type { UserStore } from '../../identity/user-store.ts';

export interface FirstStepsDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly locks: Locks;
  readonly users: Pick<UserStore, 'get' | 'each' | 'count'>;
  /** Names of the identity providers. */
  readonly providers: readonly string[];
  /** Writes believable alerts with their observations, analytics and cases. */
  readonly createDemoAlerts: () => Promise<unknown>;
}

/** The first steps of a new installation that were done. */
export interface FirstStepsState {
  /** `unknown`: no administrator was made at the first start. */
  readonly first_password: 'in_use' | 'changed' | 'unknown';
  readonly first_administrator: string | null;
  readonly has_api_key: boolean;
  readonly alerts: number;
  readonly users: number;
  readonly providers: readonly string[];
  /** True if nothing is stored that demo alerts would stand beside. */
  readonly may_load_demo: boolean;
}

const FACT = 'first_administrator';
const ACCESS = unrestricted('administrators see how far the installation is');
/** Users among whom a key is looked for: an installation with more is not new. */
const MAX_USERS = 200;
/** Milliseconds for which one load of the demo locks out another. */
const LEASE = 120_000;

/** Tells how far a new installation is, for the greeting of administrators. */
export class FirstSteps {
  readonly #dependencies: FirstStepsDependencies;
  readonly #facts: Collection<InstallationFact>;

  constructor(dependencies: FirstStepsDependencies) {
    this.#dependencies = dependencies;
    this.#facts = dependencies.datastore.collection(installationDocument);
  }

  /** Records the administrator whose random password was printed. */
  async remember(username: string): Promise<void> {
    const user = await this.#dependencies.users.get(username);
    if (user === undefined) return;
    const fact = { fact: FACT, digest: digestOf(user.password), value: JSON.stringify(username) };
    await this.#facts.save(FACT, { ...fact, changed_at: new Date().toISOString() });
  }

  /** @throws Unavailable */
  async state(): Promise<FirstStepsState> {
    const { users, providers } = this.#dependencies;
    const [first, alerts, others, hasKey, count] = await Promise.all([
      this.#firstAdministrator(),
      this.#count(hitDocument),
      this.#countOthers(),
      this.#hasKey(),
      users.count(),
    ]);
    return {
      ...first,
      has_api_key: hasKey,
      alerts,
      users: count,
      providers,
      may_load_demo: alerts + others === 0,
    };
  }

  /**
   * Loads believable alerts into an installation without any.
   * @throws Conflict `not_empty`, `demo_loading`
   */
  async loadDemo(): Promise<{ readonly alerts: number }> {
    const lock = await this.#dependencies.locks.acquire('demo-alerts', LEASE);
    if (lock === undefined) {
      throw new Conflict('demo_loading', 'The demo alerts are being loaded already. Wait until that has ended.');
    }
    try {
      const stored = (await this.#count(hitDocument)) + (await this.#countOthers());
      if (stored > 0) {
        throw new Conflict(
          'not_empty',
          `There are ${stored} alerts, observations, cases and analytics. Demo alerts are loaded only where nothing is stored.`,
        );
      }
      await this.#dependencies.createDemoAlerts();
      return { alerts: await this.#count(hitDocument) };
    } finally {
      await lock.release();
    }
  }

  async #firstAdministrator(): Promise<Pick<FirstStepsState, 'first_password' | 'first_administrator'>> {
    const fact = await this.#facts.get(FACT, ACCESS);
    if (fact === undefined) return { first_password: 'unknown', first_administrator: null };
    const username = String(JSON.parse(fact.value));
    const user = await this.#dependencies.users.get(username);
    const isInUse = user !== undefined && digestOf(user.password) === fact.digest;
    return { first_password: isInUse ? 'in_use' : 'changed', first_administrator: username };
  }

  async #hasKey(): Promise<boolean> {
    let looked = 0;
    for await (const { apikeys } of this.#dependencies.users.each()) {
      if (Object.keys(apikeys ?? {}).length > 0) return true;
      looked += 1;
      if (looked === MAX_USERS) break;
    }
    return false;
  }

  async #countOthers(): Promise<number> {
    const counts = await Promise.all([eventDocument, caseDocument, analyticDocument].map((one) => this.#count(one)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #count(definition: Parameters<Datastore['collection']>[0]): Promise<number> {
    return this.#dependencies.datastore.collection(definition).count({ query: MATCH_ALL }, ACCESS);
  }
}

/** Returns the digest of a hash of a password, which another password, or another salt, does not have. */
function digestOf(passwordHash: string): string {
  return hash('sha256', passwordHash, 'hex');
}
