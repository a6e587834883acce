import { type ClassificationEngine, NO_GROUP } from '../../classification/classification.ts';
import { allOf, MATCH_ALL, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { matches } from '../../datastore/query-language/matches.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { RecentUser } from '../user-store.ts';

/**
 * Returns the access of a user with this clearance: level at most theirs, no required mark that they
 * lack, no group or one of theirs. Where classification is not enforced: all classifications.
 * @param username user whose documents are seen together with shared ones; undefined: those of all users
 */
export function readAccessFor(
  engine: ClassificationEngine,
  classification: string,
  username: string | undefined,
): ReadAccess {
  if (!engine.enforce) return { ...unrestricted('classification is not enforced'), username };
  const own = engine.accessParts(classification, { user: true });
  const lacking = engine.requiredNames.filter((name) => !own.__access_req__.includes(name));
  const groups1 = withNoGroup(own.__access_grp1__);
  const groups2 = withNoGroup(own.__access_grp2__);
  return {
    username,
    filter: allOf(
      { kind: 'terms', field: '__access_grp2__', values: groups2 },
      { kind: 'terms', field: '__access_grp1__', values: groups1 },
      lacking.length === 0 ? MATCH_ALL : not({ kind: 'terms', field: '__access_req__', values: lacking }),
      {
        kind: 'range',
        field: '__access_lvl__',
        lower: { value: 0, inclusive: true },
        upper: { value: own.__access_lvl__, inclusive: true },
      },
    ),
    admits: (document) => {
      const level = document.__access_lvl__;
      if (typeof level !== 'number') return admitsUnmarked(engine, classification, document);
      return (
        level >= 0 &&
        level <= own.__access_lvl__ &&
        !lacking.some((name) => texts(document.__access_req__).includes(name)) &&
        texts(document.__access_grp1__).some((name) => groups1.includes(name)) &&
        texts(document.__access_grp2__).some((name) => groups2.includes(name))
      );
    },
  };
}

/** Documents written without the hidden fields are judged by their text; without one they are visible. */
function admitsUnmarked(
  engine: ClassificationEngine,
  classification: string,
  document: Readonly<Record<string, unknown>>,
): boolean {
  const text = document.classification;
  if (text === undefined || text === null) return true;
  return typeof text === 'string' && text !== '' && engine.isAccessible(classification, text, true);
}

function withNoGroup(groups: readonly string[]): readonly string[] {
  return groups.includes(NO_GROUP) ? groups : [NO_GROUP, ...groups];
}

function texts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [value] : [];
}

/** Returns the same access as a query (`access_control`); undefined: classification is not enforced. */
export function accessControlQuery(engine: ClassificationEngine, classification: string): string | undefined {
  if (!engine.enforce) return undefined;
  const own = engine.accessParts(classification, { user: true });
  const lacking = engine.requiredNames.filter((name) => !own.__access_req__.includes(name));
  const oneOf = (field: string, names: readonly string[]) =>
    `(${names.map((name) => (name === NO_GROUP ? `${field}:${name}` : `${field}:${JSON.stringify(name)}`)).join(' OR ')})`;
  return [
    oneOf('__access_grp2__', withNoGroup(own.__access_grp2__)),
    oneOf('__access_grp1__', withNoGroup(own.__access_grp1__)),
    ...(lacking.length === 0 ? [] : [`-${oneOf('__access_req__', lacking)}`]),
    `__access_lvl__:[0 TO ${own.__access_lvl__}]`,
  ].join(' AND ');
}

/** Returns the access that a stored `access_control` query gives. @throws InvalidInput `invalid_query` */
export function readAccessOfQuery(query: string, username?: string): ReadAccess {
  // The hidden fields are the same on every classified kind of document, so one definition does for all.
  const filter: QueryNode = compileQuery(query, caseDocument);
  return { username, filter, admits: (document) => matches(filter, caseDocument, document) };
}

/** Returns the clearance of a user, with dynamic groups; the lowest where the stored one is not valid. */
export function clearanceOf(user: RecentUser, engine: ClassificationEngine, log: IdentityLog): string {
  try {
    const own = engine.normalise(user.classification, { skipAutoSelect: true });
    return engine.withDynamicGroups(own, { email: user.email ?? undefined, groups: user.groups });
  } catch (error) {
    log.warn(
      { user: user.uname, classification: user.classification, err: error },
      `the classification of user ${user.uname} is not valid; until it is corrected they have the lowest clearance`,
    );
    return engine.unrestricted;
  }
}
