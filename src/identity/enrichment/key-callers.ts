import { BoundedCache } from '../../caching/bounded-cache.ts';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { readAccessFor } from '../accounts/read-access.ts';
import type { Actor } from '../actor.ts';

/** The user for whom a program with a configured key calls, by its own words. */
export interface VouchedUser {
  /** Header X-USERID. */
  readonly userId: string | undefined;
  /** Header X-CLASSIFICATION. */
  readonly classification: string | undefined;
  /** Header X-USERNAME: the display name. */
  readonly name: string | undefined;
  /** Header X-EMAIL. */
  readonly email: string | undefined;
}

const MAX_ACTORS = 5_000;
const MAX_LENGTH = 256;
/** Concurrent requests; as of a user without a quota of their own. */
const QUOTA = 25;

/**
 * Makes actors of the users that programs with a configured key vouch for. They need no account here, and their classification is the
 * one that was sent (contract/enrichment.md section 1.3): whoever has such a key can see everything.
 */
export class KeyCallers {
  readonly #engine: ClassificationEngine;
  readonly #actors = new BoundedCache<string, Actor>(MAX_ACTORS);

  constructor(parts: { readonly engine: ClassificationEngine }) {
    this.#engine = parts.engine;
  }

  /**
   * @throws Forbidden `caller_not_named`; InvalidInput `invalid_classification`, `invalid_caller`
   */
  actorOf(keyName: string, { userId, classification, name, email }: VouchedUser): Actor {
    if (!userId || !classification) {
      throw new Forbidden(
        'caller_not_named',
        // The slip of the pen is the public system's: clients compare the text.
        'You must also provide X-USERID and X-CLASSIFICATION headers along with you API key.',
      );
    }
    const sent = [keyName, userId, classification, name ?? '', email ?? ''];
    return this.#actors.getOrMake(JSON.stringify(sent), () => {
      if (sent.some((one) => one.length > MAX_LENGTH)) {
        throw new InvalidInput('invalid_caller', `Headers that name a user have at most ${MAX_LENGTH} characters.`);
      }
      const clearance = this.#clearanceOf(classification);
      const access = readAccessFor(this.#engine, clearance, userId);
      return {
        username: userId,
        name: name || userId,
        email: email || undefined,
        roles: new Set(['user']),
        privileges: new Set(['R', 'W']),
        hasFullScope: false,
        isAdmin: false,
        groups: [],
        classification: clearance,
        searchAccess: access,
        readAccess: access,
        method: 'api_key',
        keyName,
        impersonator: keyName,
        quota: QUOTA,
      };
    });
  }

  #clearanceOf(text: string): string {
    try {
      return this.#engine.normalise(text, { skipAutoSelect: true });
    } catch (cause) {
      throw new InvalidInput('invalid_classification', 'The header X-CLASSIFICATION holds no valid classification.', {
        cause,
        at: 'X-CLASSIFICATION',
      });
    }
  }
}
