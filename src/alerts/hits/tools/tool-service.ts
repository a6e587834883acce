import type { Collection, Visible } from '../../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { formatDate } from '../../../documents/schema/values/date-values.ts';
import { pythonTypeName } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { CORRELATION_FAILED } from '../../cases/correlation-scheduler.ts';
import { BUNDLES_DEPRECATED, type HitBundles } from '../bundles/hit-bundles.ts';
import type { HitService } from '../hit-service.ts';
import type { NewHit } from '../ingest/new-hit.ts';
import { withPauses } from '../ingest/raw-record.ts';
import { type FieldMap, mapRecord, unknownTargets } from './tool-mapping.ts';

export interface ToolServiceDependencies {
  service: HitService;
  bundles: HitBundles;
  hits: Collection<Hit>;
  clock: () => Date;
}

export interface ToolBatch {
  /** Name of the tool, which becomes the analytic. */
  readonly tool: string;
  readonly map: FieldMap;
  readonly records: readonly unknown[];
  /** Targets and fields that do not exist are left out with a warning, instead of refused. */
  readonly ignoreUnknown: boolean;
  readonly visible: Visible;
}

/** What became of one record. */
export interface ToolRow {
  readonly id: string | null;
  readonly error: string | null;
  readonly warn?: readonly string[];
  readonly _case_id?: string;
}

export interface ToolAnswer {
  /** In the order of the records; those that are known already are left out. */
  readonly rows: readonly ToolRow[];
  readonly warnings: readonly string[];
  /** A record was refused, so that nothing was stored. */
  readonly refused: boolean;
}

const DEPRECATED =
  'This endpoint is deprecated and will be removed in a future version. Use POST /api/v1/hit/ directly with pre-mapped hit data instead.';

/** Alerts in the form of the tool that raised them, put into the fields of alerts by a map (contract/alert.md section 4.6). Deprecated. */
export class ToolService {
  readonly #dependencies: ToolServiceDependencies;

  constructor(dependencies: ToolServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores all of the records or none. Records whose hash an alert has that the actor may find are left out.
   * @throws InvalidInput `unknown_target`, `several_bundles`, `item_above_case`
   */
  async create(actor: Actor, batch: ToolBatch): Promise<ToolAnswer> {
    const warnings = [DEPRECATED];
    for (const target of unknownTargets(hitDocument, batch.map)) {
      const message = `Invalid target field in the map: ${target}`;
      if (!batch.ignoreUnknown) throw new InvalidInput('unknown_target', message, { at: 'map' });
      warnings.push(message);
    }
    const read = await this.#read(actor, batch);
    const known = await this.#knownHashes(
      actor,
      read.map((row) => row.made?.hit).filter((hit) => hit !== undefined),
    );
    const fresh = read.filter((row) => row.made === undefined || !known.has(hashOf(row.made.hit)));
    for (const { made } of read) {
      if (made === undefined || !known.has(hashOf(made.hit))) continue;
      warnings.push(`Hit with hash ${hashOf(made.hit)} already exists in the DB and was skipped.`);
    }
    if (fresh.some((row) => row.made === undefined)) {
      return { rows: fresh.map((row) => shown(row)), warnings, refused: true };
    }
    return this.#store(actor, batch, fresh, warnings);
  }

  async #store(
    actor: Actor,
    { visible }: ToolBatch,
    rows: readonly ReadRow[],
    warnings: readonly string[],
  ): Promise<ToolAnswer> {
    const { service, bundles } = this.#dependencies;
    const made = rows.flatMap((row) => row.made?.hit ?? []);
    // The public system says so of a batch in which nothing was new, and its clients' recordings hold it.
    if (made.length === 0) return { rows: [], warnings: [...warnings, CORRELATION_FAILED], refused: false };
    const rootId = rows.find((row) => row.isBundle)?.made?.hit.howler.id;
    const isRoot = (hit: Hit): boolean => hit.howler.id === rootId;
    const root = made.find(isRoot);
    if (root !== undefined)
      bundles.checkTogether(
        root,
        made.filter((hit) => hit !== root),
      );
    const arrival = await service.create(actor, made, visible);
    const storedRoot = arrival.hits.find(isRoot);
    if (storedRoot === undefined) {
      return { rows: rows.map((row) => shown(row)), warnings: [...warnings, ...arrival.warnings], refused: false };
    }
    const children = arrival.hits.filter((hit) => hit !== storedRoot);
    const caseId = await bundles.group(actor, storedRoot, children, visible);
    return {
      rows: rows.map((row) => (row.isBundle ? { ...shown(row), _case_id: caseId } : shown(row))),
      warnings: [...warnings, BUNDLES_DEPRECATED, ...arrival.warnings],
      refused: false,
    };
  }

  async #read(actor: Actor, { tool, map, records, ignoreUnknown }: ToolBatch): Promise<readonly ReadRow[]> {
    const created = formatDate(this.#dependencies.clock());
    const base = { 'agent.type': tool, 'event.created': created, 'howler.analytic': tool, 'howler.score': 0 };
    let bundles = 0;
    const rows: ReadRow[] = [];
    for await (const record of withPauses(records)) {
      if (!isObject(record)) {
        const error = `A hit must be an object, got ${pythonTypeName(record)}`;
        rows.push({ made: undefined, error, isBundle: false });
        continue;
      }
      const { fields, isBundle } = mapRecord(hitDocument, map, record as Readonly<Record<string, unknown>>, base);
      if (isBundle) bundles += 1;
      if (bundles > 1) throw new InvalidInput('several_bundles', 'You can only specify one bundle hit!');
      const unknown = ignoreUnknown ? 'warn' : 'refuse';
      const { valid, invalid } = await this.#dependencies.service.read(actor, [fields], { unknown });
      rows.push({ made: valid[0], error: invalid[0]?.error ?? null, isBundle });
    }
    return rows;
  }

  /** Of the hashes, those that alerts have which the actor may find. */
  async #knownHashes(actor: Actor, hits: readonly Hit[]): Promise<ReadonlySet<string>> {
    if (hits.length === 0) return new Set();
    const values = [...new Set(hits.map(hashOf))];
    const { buckets } = await this.#dependencies.hits.facet(
      { query: { kind: 'terms', field: 'howler.hash', values }, field: 'howler.hash', rows: values.length },
      actor.searchAccess,
    );
    return new Set(buckets.map((bucket) => String(bucket.key)));
  }
}

interface ReadRow {
  readonly made: NewHit | undefined;
  readonly error: string | null;
  readonly isBundle: boolean;
}

function shown({ made, error }: ReadRow): ToolRow {
  return made === undefined ? { id: null, error } : { id: made.hit.howler.id, error: null, warn: made.warnings };
}

function hashOf({ howler }: Hit): string {
  return howler.hash ?? '';
}
