import { setImmediate } from 'node:timers/promises';
import type { Collection } from '../../datastore/port/collection.ts';
import { anyOf, MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import { type Overview, overviewDocument } from '../../documents/kinds/overview.ts';
import { type Template, templateDocument } from '../../documents/kinds/template.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SavedQuery, SavedQueryEvaluator } from '../saved-query.ts';
import { itemOfV1 } from '../search/item-shape.ts';

export interface HitMetadataDependencies {
  templates: Collection<Template>;
  overviews: Collection<Overview>;
  analytics: Collection<Analytic>;
  dossiers: Collection<Dossier>;
  savedQueries: SavedQueryEvaluator;
}

/** A stored hit, or as much of it as is known. */
export type HitLike = Readonly<Record<string, unknown>>;
/** Members to put beside those of a hit: `__template`, `__overview`, `__analytic`, `__dossiers`. */
export type Metadata = Record<string, unknown>;

/** Most templates, overviews, analytics or dossiers looked at for one request. */
const CANDIDATES = 1000;
/** Candidates that are read before other requests get their turn. */
const PARSED_AT_ONCE = 20;

/**
 * Finds what the web UI shows beside a hit: its layout, its description, its analytic and dossiers.
 * Kinds (contract/alert.md sections 5.4, 6.1): `template`, `overview`, `analytic`, `dossiers`; others are ignored.
 */
export class HitMetadata {
  readonly #dependencies: HitMetadataDependencies;

  constructor(dependencies: HitMetadataDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns an object per whole hit, in order: null for a missing choice, a list for dossiers. */
  async of(actor: Actor, hits: readonly HitLike[], kinds: readonly string[]): Promise<readonly Metadata[]> {
    if (hits.length === 0) return [];
    const { templates, overviews } = this.#dependencies;
    const everyone = unrestricted('overviews carry no classification');
    const finders = {
      template: () => bestMatches(templates, templateDocument, actor.searchAccess, hits),
      overview: () => bestMatches(overviews, overviewDocument, everyone, hits),
      analytic: () => this.#analytics(hits),
      dossiers: () => this.#dossiers(actor, hits),
    };
    const columns: [member: string, values: readonly unknown[]][] = [];
    for (const [kind, find] of Object.entries(finders)) {
      if (kinds.includes(kind)) columns.push([`__${kind}`, await find()]);
    }
    return hits.map((_, at) => Object.fromEntries(columns.map(([member, values]) => [member, values[at]])));
  }

  /** Returns the global and own dossiers whose query is absent or matches; a broken one does not. */
  async dossiersOf(actor: Actor, hit: HitLike): Promise<readonly Metadata[]> {
    return (await this.#dossiers(actor, [hit]))[0] ?? [];
  }

  async #analytics(hits: readonly HitLike[]): Promise<readonly unknown[]> {
    const wanted = hits.map((hit) => analyticAndDetection(hit).analytic);
    const values = [...new Set(wanted.flatMap((name) => name ?? []))];
    const query = { kind: 'terms', field: 'name', values } as const;
    const access = unrestricted('analytics carry no classification');
    const { items } = await this.#dependencies.analytics.search({ query, rows: CANDIDATES }, access);
    return wanted.map((name) => {
      const item = items.find(({ document }) => document.name.toLowerCase() === name);
      return item ? toOutput(analyticDocument, item.document) : null;
    });
  }

  async #dossiers(actor: Actor, hits: readonly HitLike[]): Promise<readonly (readonly Metadata[])[]> {
    const { dossiers, savedQueries } = this.#dependencies;
    const own = { kind: 'term', field: 'owner', value: actor.username } as const;
    const query = anyOf({ kind: 'term', field: 'type', value: 'global' }, own);
    const access = unrestricted('dossiers carry no classification');
    const { items } = await dossiers.search({ query, rows: CANDIDATES }, access);
    const queries: SavedQuery[] = [];
    for (const [at, item] of items.entries()) {
      // Each document is parsed here.
      if (at > 0 && at % PARSED_AT_ONCE === 0) await setImmediate();
      queries.push({ id: item.id, owner: item.document.owner, text: item.document.query });
    }
    const matching = await savedQueries.evaluate(queries, hits, actor.username);
    const shown = items.map((item, at) => (matching[at]?.includes(true) ? itemOfV1(dossierDocument, item) : {}));
    return hits.map((_, index) => shown.filter((_, at) => matching[at]?.[index]));
  }
}

/** Returns the best of the templates or overviews for each hit; null: none. */
async function bestMatches<T extends MatchCandidate>(
  collection: Collection<T>,
  definition: DocumentDefinition<T>,
  access: ReadAccess,
  hits: readonly HitLike[],
): Promise<readonly unknown[]> {
  const { items } = await collection.search({ query: MATCH_ALL, rows: CANDIDATES }, access);
  return hits.map((hit) => {
    const item = bestMatch(items, ({ document }) => document, hit);
    return item ? itemOfV1(definition, item) : null;
  });
}

/** The hits that a template or overview is for. */
interface MatchCandidate {
  readonly analytic?: string | undefined;
  /** Absent: every detection of the analytic. */
  readonly detection?: string | undefined;
  readonly type?: string | undefined;
}

/** Lower-cased `howler.analytic` and `howler.detection` of a hit. */
function analyticAndDetection({ howler }: HitLike) {
  const members: HitLike = isObject(howler) ? howler : {};
  return { analytic: lowerCased(members.analytic), detection: lowerCased(members.detection) };
}

/**
 * Returns the candidate for a hit: same analytic, same or no detection, in any case.
 * Personal precedes readonly, which precedes global; among equals one for the detection precedes one for the whole
 * analytic (contract/alert.md section 6.1a).
 */
export function bestMatch<C>(
  candidates: readonly C[],
  about: (candidate: C) => MatchCandidate,
  hit: HitLike,
): C | undefined {
  const { analytic, detection } = analyticAndDetection(hit);
  if (analytic === undefined) return undefined;
  let best: C | undefined;
  let bestRank = -1;
  for (const candidate of candidates) {
    const { analytic: forAnalytic, detection: forDetection, type } = about(candidate);
    if (lowerCased(forAnalytic) !== analytic) continue;
    if (forDetection && lowerCased(forDetection) !== detection) continue;
    const rank = typeRank(type) * 2 + (forDetection ? 1 : 0);
    if (rank > bestRank) {
      best = candidate;
      bestRank = rank;
    }
  }
  return best;
}

function typeRank(type: string | undefined): number {
  if (type === 'personal') return 2;
  return type === 'readonly' ? 1 : 0;
}

function lowerCased(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
}
