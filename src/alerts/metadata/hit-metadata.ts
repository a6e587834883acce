import { setImmediate } from 'node:timers/promises';
import type { Collection } from '../../datastore/port/collection.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import { anyOf, MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import { type Overview, overviewDocument } from '../../documents/kinds/overview.ts';
import { type Template, templateDocument } from '../../documents/kinds/template.ts';
import { toOutput } from '../../documents/schema/output.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SavedQuery, SavedQueryEvaluator } from '../saved-query.ts';
import { itemOfV1 } from '../search/item-shape.ts';

export interface HitMetadataDependencies {
  templates: Collection<Template>;
  overviews: Collection<Overview>;
  analytics: Collection<Analytic>;
  dossiers: Collection<Dossier>;
  savedQueries: Pick<SavedQueryEvaluator, 'evaluate'>;
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
    const found: Metadata[] = hits.map(() => ({}));
    if (hits.length === 0) return found;
    if (kinds.includes('template')) await this.#addTemplates(actor, hits, found);
    if (kinds.includes('overview')) await this.#addOverviews(hits, found);
    if (kinds.includes('analytic')) await this.#addAnalytics(hits, found);
    if (kinds.includes('dossiers')) await this.#addDossiers(actor, hits, found);
    return found;
  }

  /** Returns global and own dossiers that match the hit; absent queries match, broken ones do not. */
  async dossiersOf(actor: Actor, hit: HitLike): Promise<readonly Metadata[]> {
    const [metadata] = await this.of(actor, [hit], ['dossiers']);
    const dossiers = metadata?.__dossiers;
    return Array.isArray(dossiers) ? dossiers : [];
  }

  async #addTemplates(actor: Actor, hits: readonly HitLike[], found: Metadata[]): Promise<void> {
    const { templates } = this.#dependencies;
    const { items } = await templates.search({ query: MATCH_ALL, rows: CANDIDATES }, actor.searchAccess);
    for (const [index, metadata] of found.entries()) {
      const item = bestMatch(items, (candidate) => candidate.document, hits[index] ?? {});
      metadata.__template = item ? itemOfV1(templateDocument, item) : null;
    }
  }

  async #addOverviews(hits: readonly HitLike[], found: Metadata[]): Promise<void> {
    const access = unrestricted('overviews carry no classification');
    const { items } = await this.#dependencies.overviews.search({ query: MATCH_ALL, rows: CANDIDATES }, access);
    for (const [index, metadata] of found.entries()) {
      const item = bestMatch(items, (candidate) => candidate.document, hits[index] ?? {});
      metadata.__overview = item ? itemOfV1(overviewDocument, item) : null;
    }
  }

  async #addAnalytics(hits: readonly HitLike[], found: Metadata[]): Promise<void> {
    const names = new Set(hits.flatMap((hit) => analyticAndDetection(hit).analytic ?? []));
    const { items } = await this.#dependencies.analytics.search(
      { query: { kind: 'terms', field: 'name', values: [...names] }, rows: CANDIDATES },
      unrestricted('analytics carry no classification'),
    );
    hits.forEach((hit, index) => {
      const { analytic } = analyticAndDetection(hit);
      const item = items.find((candidate) => candidate.document.name.toLowerCase() === analytic);
      if (found[index]) found[index].__analytic = item ? toOutput(analyticDocument, item.document) : null;
    });
  }

  async #addDossiers(actor: Actor, hits: readonly HitLike[], found: Metadata[]): Promise<void> {
    const { dossiers, savedQueries } = this.#dependencies;
    const { items } = await dossiers.search(
      { query: globalOrOwnedBy(actor), rows: CANDIDATES },
      unrestricted('dossiers carry no classification'),
    );
    const queries: SavedQuery[] = [];
    for (const [at, item] of items.entries()) {
      // Each document is parsed here.
      if (at > 0 && at % PARSED_AT_ONCE === 0) await setImmediate();
      queries.push({ id: item.id, owner: item.document.owner, text: item.document.query });
    }
    const matching = await savedQueries.evaluate(queries, hits, actor.username);
    const shown = items.map((item, at) => (matching[at]?.includes(true) ? itemOfV1(dossierDocument, item) : undefined));
    for (const [index, metadata] of found.entries()) {
      metadata.__dossiers = shown.filter((_, at) => matching[at]?.[index]);
    }
  }
}

function globalOrOwnedBy(actor: Actor): QueryNode {
  return anyOf(
    { kind: 'term', field: 'type', value: 'global' },
    { kind: 'term', field: 'owner', value: actor.username },
  );
}

/** The hits that a template or overview is for. */
interface MatchCandidate {
  readonly analytic?: string | undefined;
  /** Absent: every detection of the analytic. */
  readonly detection?: string | undefined;
  readonly type?: string | undefined;
}

/** Lower-cased `howler.analytic` and `howler.detection` of a hit. */
function analyticAndDetection(hit: Readonly<Record<string, unknown>>): {
  readonly analytic: string | undefined;
  readonly detection: string | undefined;
} {
  const howler = hit.howler;
  if (typeof howler !== 'object' || howler === null) return { analytic: undefined, detection: undefined };
  return {
    analytic: lowerCased('analytic' in howler ? howler.analytic : undefined),
    detection: lowerCased('detection' in howler ? howler.detection : undefined),
  };
}

/**
 * Returns the candidate for a hit: same analytic, same or no detection, in any case.
 * Personal precedes readonly, which precedes global; among equals one for the detection precedes one for the whole
 * analytic (contract/alert.md section 6.1a).
 */
export function bestMatch<C>(
  candidates: readonly C[],
  about: (candidate: C) => MatchCandidate,
  hit: Readonly<Record<string, unknown>>,
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
