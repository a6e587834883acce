import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { TRIGGERS, type Trigger } from '../../documents/kinds/action.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor, Role } from '../../identity/actor.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { RequestedOperation } from '../hits/changes/update-requests.ts';
import type { HitService } from '../hits/hit-service.ts';
import type { TriggerOrigin } from '../workers/trigger-queue.ts';

/** Arguments of an operation, by name. Those that the operation does not know are ignored. */
export type OperationArguments = Readonly<Record<string, unknown>>;

/** Maximum number of alerts of one run, `advanced` with a role of `ADVANCED_ROLES`. */
type HitLimit = Readonly<Record<'basic' | 'advanced', number>>;

/** Roles that run the operations on a few alerts. */
const BASIC_ROLES: readonly Role[] = ['automation_basic', 'actionrunner_basic'];
export const LABEL_LIMIT: HitLimit = { basic: 20, advanced: 1000 };
export const BASIC_LIMIT: HitLimit = { basic: 10, advanced: 1000 };

/** Arguments that users fill in together. */
export interface OperationStep {
  /** Arguments with the choices that require them, such as `escalation:evidence`; none: always required. */
  readonly args: Readonly<Record<string, readonly string[]>>;
  /** Values to choose from, by argument: always the same ones, or by an earlier choice. */
  readonly options: Readonly<Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>>;
  /** Lucene queries of alerts to skip (`warn`) or reject (`error`), with arguments as `$argument`. */
  readonly validation?: Readonly<Partial<Record<'warn' | 'error', { readonly query: string }>>>;
}

/** The description of an operation, with the members that clients know. */
export interface OperationSpecification {
  readonly id: string;
  readonly title: string;
  /** Key of the title in the translations of clients. */
  readonly i18nKey: string;
  /** Higher ones are offered first. */
  readonly priority?: number;
  readonly description: { readonly short: string; readonly long: string; readonly limit?: HitLimit };
  /** Any one of them lets a user run it; administrators may run all. */
  readonly roles: readonly Role[];
  readonly steps: readonly OperationStep[];
  /** Events that may run the operation. */
  readonly triggers: readonly Trigger[];
}

/** Completes a specification. Default: the roles of basic operations, and all triggers. */
export function specified(
  given: Pick<OperationSpecification, 'id' | 'title' | 'priority' | 'steps'> &
    Partial<Pick<OperationSpecification, 'roles' | 'triggers'>> &
    OperationSpecification['description'],
): OperationSpecification {
  const { short, long, roles = BASIC_ROLES, triggers = TRIGGERS, ...rest } = given;
  return { ...rest, i18nKey: `operations.${rest.id}`, description: { short, long }, roles, triggers };
}

type Hits = Pick<Collection<Hit>, 'count' | 'search'>;
/** Changes alerts of a query, or those of known identifiers. */
export type HitUpdates = Pick<HitService, 'updateWhere' | 'updateEach' | 'operationsOf'>;

/** Alerts that a trigger found for the actor, for the runs of a batch. */
export interface KnownHits {
  readonly ids: readonly string[];
  /** Takes changes that need not be written before the next look at the alerts. */
  change(operations: readonly UpdateOperation[]): void;
  /** Resolves when every change is written. */
  written(): Promise<void>;
  /** Resolves when every change is written and searches find the alerts. */
  searchable(): Promise<void>;
}

/** The alerts of a query, as far as an actor may find them. */
export class HitSelection {
  /** Lucene text. */
  readonly query: string;
  readonly #hits: Hits;
  readonly #actor: Actor;
  readonly #known: KnownHits | undefined;
  #node: QueryNode | undefined;

  /**
   * Creates a selection. A search finds its alerts, unless their identifiers are known.
   * @throws InvalidInput `invalid_query` with the position
   */
  constructor(hits: Hits, actor: Actor, query: string, known?: KnownHits) {
    this.query = query;
    this.#known = known;
    this.#hits = hits;
    this.#actor = actor;
    if (known === undefined) this.#node = compileQuery(query, hitDocument);
  }

  /** Returns those of the alerts that also match another query. */
  async narrowed(query: string): Promise<HitSelection> {
    await this.#known?.searchable();
    return new HitSelection(this.#hits, this.#actor, `(${this.query}) AND ${query}`);
  }

  async count(filter: QueryNode = MATCH_ALL): Promise<number> {
    if (this.#known !== undefined && filter === MATCH_ALL) return this.#known.ids.length;
    return this.#hits.count({ query: await this.#searched(), filters: [filter] }, this.#actor.searchAccess);
  }

  /** Identifiers of the first `rows` that match `filter`, and how many match in all. */
  async ids(rows: number, filter: QueryNode = MATCH_ALL): Promise<{ ids: readonly string[]; total: number }> {
    if (this.#known !== undefined && filter === MATCH_ALL) {
      return { ids: this.#known.ids.slice(0, rows), total: this.#known.ids.length };
    }
    const request = { query: await this.#searched(), filters: [filter], rows, fields: ['howler.id'] };
    const { items, total } = await this.#hits.search(request, this.#actor.searchAccess);
    return { ids: items.map((item) => item.id), total };
  }

  /** Returns the first `rows` that have a change already; of known alerts none, to save a search. */
  async unchanged(rows: number, filter: QueryNode): Promise<readonly string[]> {
    return this.#known === undefined ? (await this.ids(rows, filter)).ids : [];
  }

  /** Applies operations without log entries; to known alerts before they are looked at again. */
  async update(service: HitUpdates, operations: readonly RequestedOperation[]): Promise<void> {
    if (this.#known !== undefined) this.#known.change(service.operationsOf(operations));
    else await service.updateWhere(this.#actor, this.query, operations, { visible: 'now', logged: false });
  }

  async #searched(): Promise<QueryNode> {
    await this.#known?.searchable();
    this.#node ??= compileQuery(this.query, hitDocument);
    return this.#node;
  }
}

/** Returns the query of alerts by their identifiers, which may look like syntax. */
export function queryOfIds(ids: readonly string[]): string {
  const terms = ids.map((id) => {
    const isWord = /^[0-9a-z][\w-]*$/i.test(id) && !/^(?:AND|OR|NOT)$/.test(id);
    return isWord ? id : `"${id.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return `howler.id:(${terms.join(' OR ')})`;
}

/** One run of one operation. */
export interface OperationRun {
  readonly actor: Actor;
  readonly selection: HitSelection;
  /** The caller's own name of the run, under which its progress is told. */
  readonly requestId: string;
  /** The run of a triggered action, which its changes name as their origin. */
  readonly origin?: TriggerOrigin | undefined;
}

/** The result of an operation for the alerts of a query. */
export interface Outcome {
  /** Lucene query of the alerts that this is about. */
  readonly query: string;
  readonly outcome: 'success' | 'skipped' | 'error';
  readonly title: string;
  readonly message: string;
}

/** Something that can be done with the alerts of a query. */
export interface Operation {
  readonly specification: OperationSpecification;
  /** Above it the operation is not run. Absent: no limit, or one that the operation sees to itself. */
  readonly limit?: HitLimit;
  /** True: it changes alerts by `HitSelection.update` alone, and looks at none of them. Default false. */
  readonly onlyUpdates?: boolean;
  /** Runs the operation; problems are outcomes, or thrown if there is nothing more to report. */
  run(run: OperationRun, given: OperationArguments): Promise<readonly Outcome[]>;
}

/** Everything went as asked, for every alert of the query. */
export function executed(query: string, message: string): Outcome {
  return { query, outcome: 'success', title: 'Executed Successfully', message };
}

export function skipped(query: string, title: string, message: string): Outcome {
  return { query, outcome: 'skipped', title, message };
}

/** Nothing was done. */
export function refused(query: string, title: string, message: string): Outcome {
  return { query, outcome: 'error', title, message };
}

/** Reads arguments from JSON text; none: no arguments; throws `invalid_operation_data`. */
export function readArguments(operationId: string, dataJson: unknown): OperationArguments {
  if (dataJson === undefined || dataJson === null || dataJson === '') return {};
  try {
    const given = typeof dataJson === 'string' ? parseJson(dataJson) : undefined;
    if (isObject(given)) return given;
  } catch {
    // The refusal below says what is needed.
  }
  const message = `The data_json of the operation ${operationId} must be the JSON text of an object.`;
  throw new InvalidInput('invalid_operation_data', message, { at: 'operations' });
}

/** Returns an argument as a string, if any; throws `invalid_operation_data` for lists and objects. */
export function textArgument(given: OperationArguments, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'object') {
    throw new InvalidInput('invalid_operation_data', `The argument ${name} must be a string.`, { at: name });
  }
  return String(value);
}

const ADVANCED_ROLES: readonly Role[] = ['automation_advanced', 'actionrunner_advanced', 'admin'];

export function limitOf(actor: Actor, limit: HitLimit): number {
  return ADVANCED_ROLES.some((role) => actor.roles.has(role)) ? limit.advanced : limit.basic;
}

/** The refusal of a selection that is too large for the actor; undefined when it is not. */
export async function rejectAboveLimit(actor: Actor, selection: HitSelection, limit: HitLimit) {
  const most = limitOf(actor, limit);
  const count = await selection.count();
  if (count <= most) return undefined;
  const message = `This action affects ${count} hits, but you can only process ${most} at a time. Contact an administrator for bulk operations.`;
  return refused(selection.query, 'Hit limit exceeded', message);
}
