import type { Collection, Visible } from '../../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { formatDate } from '../../../documents/schema/values/date-values.ts';
import { pythonTypeName } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { BUNDLES_DEPRECATED, type HitBundles } from '../bundles/hit-bundles.ts';
import type { HitService } from '../hit-service.ts';
import type { NewRecord } from '../new-record.ts';
import { withPauses } from '../record-service.ts';
import { type FieldMap, mapRecord, unknownTargets } from './tool-mapping.ts';

interface ToolServiceDependencies {
  service: HitService;
  bundles: HitBundles;
  hits: Collection<Hit>;
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

/** Result of one record. */
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
/** The public system says so of a batch without new records, and recordings of its clients hold it. */
const NOTHING_NEW = 'Correlation processing could not be scheduled.';

/** Takes in alerts in the form of a tool that raised them (contract/alert.md section 4.6). Deprecated. */
export class ToolService {
  readonly #dependencies: ToolServiceDependencies;

  constructor(dependencies: ToolServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores all or none, without known hashes; throws `unknown_target`, `several_bundles`. */
  async create(actor: Actor, batch: ToolBatch): Promise<ToolAnswer> {
    const { service, bundles } = this.#dependencies;
    const warnings = [DEPRECATED];
    for (const target of unknownTargets(hitDocument, batch.map)) {
      const message = `Invalid target field in the map: ${target}`;
      if (!batch.ignoreUnknown) throw new InvalidInput('unknown_target', message, { at: 'map' });
      warnings.push(message);
    }
    const read = await this.#read(actor, batch);
    const known = await this.#knownHashes(actor, read);
    const fresh: ReadRow[] = [];
    for (const row of read) {
      if (!known.has(hashOf(row))) fresh.push(row);
      else warnings.push(`Hit with hash ${hashOf(row)} already exists in the DB and was skipped.`);
    }
    const made = fresh.flatMap((row) => row.made?.record ?? []);
    if (made.length < fresh.length) return { rows: fresh.map(shown), warnings, refused: true };
    if (made.length === 0) return { rows: [], warnings: [...warnings, NOTHING_NEW], refused: false };
    const rootAt = fresh.findIndex(({ isBundle }) => isBundle);
    const isChild = (_hit: Hit, at: number) => at !== rootAt;
    const root = made[rootAt];
    if (root !== undefined) bundles.checkTogether(root, made.filter(isChild));
    const { hits, warnings: more } = await service.create(actor, made, batch.visible, made.filter(isChild));
    const storedRoot = hits[rootAt];
    if (storedRoot === undefined) return { rows: fresh.map(shown), warnings: [...warnings, ...more], refused: false };
    const caseId = await bundles.group(actor, storedRoot, hits.filter(isChild), batch.visible);
    return {
      rows: fresh.map((row) => (row.isBundle ? { ...shown(row), _case_id: caseId } : shown(row))),
      warnings: [...warnings, BUNDLES_DEPRECATED, ...more],
      refused: false,
    };
  }

  async #read(actor: Actor, { tool, map, records, ignoreUnknown }: ToolBatch): Promise<readonly ReadRow[]> {
    const created = formatDate(new Date());
    const base = { 'agent.type': tool, 'event.created': created, 'howler.analytic': tool, 'howler.score': 0 };
    const unknown = ignoreUnknown ? 'warn' : 'refuse';
    const rows: ReadRow[] = [];
    for await (const record of withPauses(records)) {
      if (!isObject(record)) {
        const error = `A hit must be an object, got ${pythonTypeName(record)}`;
        rows.push({ made: undefined, error, isBundle: false });
        continue;
      }
      const { fields, isBundle } = mapRecord(hitDocument, map, record, base);
      if (isBundle && rows.some((row) => row.isBundle)) {
        throw new InvalidInput('several_bundles', 'You can only specify one bundle hit!');
      }
      const { valid, invalid } = await this.#dependencies.service.read(actor, [fields], { unknown });
      rows.push({ made: valid[0], error: invalid[0]?.error ?? null, isBundle });
    }
    return rows;
  }

  /** Returns those of the hashes that alerts have which the actor may find. */
  async #knownHashes(actor: Actor, rows: readonly ReadRow[]): Promise<ReadonlySet<string | undefined>> {
    const values = [...new Set(rows.flatMap((row) => hashOf(row) ?? []))];
    if (values.length === 0) return new Set();
    const field = 'howler.hash';
    const request = { query: { kind: 'terms', field, values }, field, rows: values.length } as const;
    const { buckets } = await this.#dependencies.hits.facet(request, actor.searchAccess);
    return new Set(buckets.map((bucket) => String(bucket.key)));
  }
}

interface ReadRow {
  /** Undefined: the record was refused. */
  readonly made: NewRecord<Hit> | undefined;
  readonly error: string | null;
  readonly isBundle: boolean;
}

function shown({ made, error }: ReadRow): ToolRow {
  return made === undefined ? { id: null, error } : { id: made.record.howler.id, error: null, warn: made.warnings };
}

function hashOf({ made }: ReadRow): string | undefined {
  return made?.record.howler.hash;
}
