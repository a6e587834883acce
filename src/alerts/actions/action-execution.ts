import type { Collection } from '../../datastore/port/collection.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { TriggerOrigin } from '../workers/trigger-queue.ts';
import {
  HitSelection,
  type KnownHits,
  type Operation,
  type OperationRun,
  type OperationSpecification,
  type Outcome,
  readArguments,
  refused,
  rejectAboveLimit,
} from './operation.ts';

interface ActionExecutionDependencies {
  hits: Pick<Collection<Hit>, 'count' | 'search'>;
  operations: readonly Operation[];
}

/** An operation with its arguments, as actions keep it. */
export interface OperationRequest {
  readonly operation_id: string;
  /** JSON text of an object. Absent: no arguments. */
  readonly data_json?: string | undefined;
}

export interface ExecutionRequest {
  readonly requestId: string;
  /** Lucene text. */
  readonly query: string;
  readonly operations: readonly OperationRequest[];
  /** The alerts of the query, when the actor has just found them. */
  readonly known?: KnownHits | undefined;
  /** The run itself, when a trigger caused it. Default: a caller did. */
  readonly origin?: TriggerOrigin | undefined;
}

/** Runs operations on the alerts of a query. */
export class ActionExecution {
  readonly #hits: ActionExecutionDependencies['hits'];
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor({ hits, operations }: ActionExecutionDependencies) {
    this.#hits = hits;
    this.#operations = new Map(operations.map((operation) => [operation.specification.id, operation]));
  }

  /** Returns all operations, regardless of who may run them. */
  specifications(): readonly OperationSpecification[] {
    return [...this.#operations.values()].map(({ specification, limit }) =>
      limit === undefined ? specification : { ...specification, description: { ...specification.description, limit } },
    );
  }

  /** Runs operations in turn on findable alerts; a failed one stops no others; throws `invalid_query`. */
  async run(actor: Actor, request: ExecutionRequest): Promise<Readonly<Record<string, readonly Outcome[]>>> {
    const { requestId, query, operations, origin, known } = request;
    const run = { actor, requestId, origin, known, selection: new HitSelection(this.#hits, actor, query, known) };
    const report = new Map<string, Outcome[]>();
    for (const request of operations) {
      const outcomes = await this.#runOne(run, request);
      report.set(request.operation_id, [...(report.get(request.operation_id) ?? []), ...outcomes]);
    }
    return Object.fromEntries(report);
  }

  /** Returns whether no operation looks at the alerts, so that changes of them can be written later. */
  onlyUpdates(operations: readonly OperationRequest[]): boolean {
    return operations.every(({ operation_id: id }) => this.#operations.get(id)?.onlyUpdates ?? true);
  }

  async #runOne(
    run: OperationRun & { readonly known: KnownHits | undefined },
    request: OperationRequest,
  ): Promise<readonly Outcome[]> {
    const { operation_id: id, data_json: data } = request;
    const { actor, selection } = run;
    const operation = this.#operations.get(id);
    if (operation === undefined) {
      const message = `The operation ID provided (${id}) does not match any enabled operations.`;
      return [refused(selection.query, 'Unknown Action', message)];
    }
    const { roles } = operation.specification;
    if (!actor.isAdmin && !roles.some((role) => actor.roles.has(role))) {
      const wanted = [...roles].sort().join(', ');
      const message = `The operation ID provided (${id}) requires permissions you do not have (missing one of: ${wanted}). Contact HOWLER Support for more information.`;
      return [refused(selection.query, 'Insufficient permissions', message)];
    }
    try {
      const given = readArguments(id, data);
      const refusal = operation.limit && (await rejectAboveLimit(actor, selection, operation.limit));
      if (refusal) return [refusal];
      if (!operation.onlyUpdates) await run.known?.written();
      return merged(await operation.run(run, given));
    } catch (error) {
      if (!isTriadError(error)) throw error;
      return [refused(selection.query, 'Failed to Execute', error.message)];
    }
  }
}

/** Outcomes that say the same become one, about all of their alerts. */
function merged(outcomes: readonly Outcome[]): readonly Outcome[] {
  const alike = Map.groupBy(outcomes, ({ outcome, title, message }) => JSON.stringify([outcome, title, message]));
  return [...alike.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({ ...first, query: group.map(({ query }) => `(${query})`).join(' OR ') })),
  );
}
