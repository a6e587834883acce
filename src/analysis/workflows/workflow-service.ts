import { setTimeout as sleep } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { type Workflow, workflowDocument } from '../../documents/kinds/analysis/workflow.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, InvalidInput, isConflict, isTriadError, NotFound } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { lackingEffect, workflowOperations } from './workflow-action.ts';

export interface WorkflowServiceDependencies {
  readonly workflows: Collection<Workflow>;
  readonly alerts: Collection<AnalysisAlert>;
  readonly classification: ClassificationEngine;
  readonly log: { error(entry: object, message: string): void };
  readonly newId: () => string;
  /** Name of this installation, the origin of its workflows. */
  readonly origin: string;
  readonly now?: () => Date;
}

type WorkflowActor = Pick<Actor, 'username' | 'classification' | 'searchAccess'>;
type Raw = Readonly<Record<string, unknown>>;

const FAILURE = { response: { success: false } };
const TAKE_OVER_ACCESS = unrestricted('a workflow of another installation replaces its earlier state');
/** Identifiers that workflows of other installations may have. */
const IDENTIFIER = /^[0-9A-Za-z_-]{1,64}$/;
const MAX_LABELS = 1000;
/** Milliseconds for which a request waits for a run; the run is finished afterwards. */
const RUN_WAIT = 5000;

/** Stores workflows, and runs them over alerts that exist already. */
export class WorkflowService {
  readonly #dependencies: WorkflowServiceDependencies;
  readonly #workflows: Collection<Workflow>;
  readonly #now: () => Date;

  constructor(dependencies: WorkflowServiceDependencies) {
    this.#dependencies = dependencies;
    this.#workflows = classifiedCollection(dependencies.workflows, workflowDocument, dependencies.classification);
    this.#now = dependencies.now ?? (() => new Date());
  }

  /** @throws NotFound `workflow_missing` */
  async get(id: string, access: ReadAccess): Promise<Workflow> {
    const workflow = await this.#workflows.get(id, access);
    if (workflow === undefined) throw workflowMissing(id);
    return workflow;
  }

  /** Returns the labels of all workflows, sorted. */
  async labels(access: ReadAccess): Promise<readonly string[]> {
    const { buckets } = await this.#workflows.facet({ query: MATCH_ALL, field: 'labels', rows: MAX_LABELS }, access);
    return buckets.map(({ label }) => label).sort();
  }

  /** Throws `workflow_incomplete`, `invalid_query`, `invalid_document`, `classification_refused`. */
  async create(actor: WorkflowActor, input: Raw): Promise<Workflow> {
    checkInput(input);
    for (const name of ['priority', 'status']) {
      if (!(name in input)) throw incomplete(`${name} field is required; null sets none`);
    }
    const { username } = actor;
    const now = formatDate(this.#now());
    const id = this.#dependencies.newId();
    const { hit_count: _hits, first_seen: _first, last_seen: _last, ...sent } = input;
    const made = { workflow_id: id, creator: username, creation_date: now, edited_by: username, last_edit: now };
    const workflow = this.#read({ ...sent, origin: input.origin || this.#dependencies.origin, ...made });
    this.#checkClassification(actor, workflow);
    await this.#workflows.save(id, workflow, { ifVersion: ABSENT, visible: 'now' });
    return workflow;
  }

  /** Changes the members that are given. @throws as `create`; NotFound `workflow_missing` */
  async edit(actor: WorkflowActor, id: string, input: Raw): Promise<Workflow> {
    checkInput(input);
    const { creator: _creator, creation_date: _made, hit_count: _hits, first_seen: _f, last_seen: _l, ...sent } = input;
    return this.#change(actor, id, (stored) => ({ ...stored, ...sent, workflow_id: id, edited_by: actor.username }));
  }

  /**
   * Stores workflows of another installation under their identifiers.
   * All are checked before the first is stored.
   * One that was changed here stays switched on or off. Hits are counted here.
   * @param raise returns the classification of two that is not lower than either; it may refuse
   * @throws InvalidInput `workflow_incomplete`, `invalid_query`, `invalid_document`
   */
  async takeOver(inputs: readonly Raw[], raise: (classification: string, other?: string) => string): Promise<void> {
    const read = inputs.map((input) => {
      checkInput(input);
      const { hit_count: _hits, first_seen: _first, last_seen: _last, id: given, ...sent } = input;
      const id = sent.workflow_id ?? given;
      if (typeof id !== 'string' || !IDENTIFIER.test(id)) throw incomplete('workflow_id field is required');
      const workflow = this.#read({ ...sent, workflow_id: id });
      return { id, workflow: { ...workflow, classification: raise(workflow.classification) } };
    });
    for (const { id, workflow } of read) {
      await retryOnConflict(async () => {
        const found = await this.#workflows.getVersioned(id, TAKE_OVER_ACCESS);
        const stored = found?.document;
        const { hit_count, first_seen, last_seen } = stored ?? workflow;
        const wasChangedHere = stored !== undefined && stored.edited_by !== workflow.edited_by;
        const united = {
          ...workflow,
          ...{ hit_count, first_seen, last_seen },
          ...(wasChangedHere ? { enabled: stored.enabled } : {}),
          classification: raise(workflow.classification, stored?.classification),
        };
        await this.#workflows.save(id, united, { ifVersion: found?.version ?? ABSENT, visible: 'soon' });
      }, isConflict);
    }
  }

  /** @throws NotFound `workflow_missing` */
  async setEnabled(actor: WorkflowActor, id: string, enabled: boolean): Promise<void> {
    await this.#change(actor, id, (stored) => ({ ...stored, enabled, edited_by: actor.username }));
  }

  /** @throws NotFound `workflow_missing` */
  async delete(actor: WorkflowActor, id: string): Promise<void> {
    await this.get(id, actor.searchAccess);
    await this.#workflows.delete(id, { visible: 'now' });
  }

  /** Runs a workflow over all alerts that the actor may see; a long run is finished after the answer. */
  async run(actor: WorkflowActor, id: string): Promise<void> {
    const workflow = await this.get(id, actor.searchAccess);
    const running = this.#runOver(workflow, actor.searchAccess);
    running.catch((err) => this.#dependencies.log.error({ err, workflow: id }, 'the run of a workflow failed'));
    await Promise.race([running, sleep(RUN_WAIT, undefined, { ref: false })]);
  }

  async #runOver(workflow: Workflow, access: ReadAccess): Promise<void> {
    const now = this.#now();
    const operations = workflowOperations(workflow, now);
    if (operations.length === 0) return;
    const query = compileQuery(workflow.query, alertDocument, { now });
    const selection = { query, filters: [lackingEffect(workflow)] };
    const { changed } = await this.#dependencies.alerts.updateWhere(selection, operations, { access, visible: 'now' });
    await this.countHits(workflow, changed);
  }

  /** Records that a workflow changed alerts. */
  async countHits({ workflow_id: id, first_seen: first }: Workflow, count: number): Promise<void> {
    if (count === 0 || id === undefined) return;
    const seen = formatDate(this.#now());
    try {
      await this.#workflows.update(id, [
        { op: 'increment', path: 'hit_count', by: count },
        { op: 'set', path: 'last_seen', value: seen },
        ...(first === undefined ? [{ op: 'set', path: 'first_seen', value: seen } as const] : []),
      ]);
    } catch (error) {
      // It was deleted while it ran.
      if (!isTriadError(error) || error.code !== 'document_missing') throw error;
    }
  }

  async #change(actor: WorkflowActor, id: string, change: (stored: Workflow) => Raw): Promise<Workflow> {
    return retryOnConflict(async () => {
      const stored = await this.#workflows.getVersioned(id, actor.searchAccess);
      if (stored === undefined) throw workflowMissing(id);
      const workflow = this.#read({ ...change(stored.document), last_edit: formatDate(this.#now()) });
      this.#checkClassification(actor, workflow);
      await this.#workflows.save(id, workflow, { ifVersion: stored.version, visible: 'now' });
      return workflow;
    }, isConflict);
  }

  #read(input: Raw): Workflow {
    const { classification } = this.#dependencies;
    try {
      return readDocument(workflowDocument, input, { unknown: 'drop', classification, now: this.#now() }).document;
    } catch (error) {
      if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
      throw new InvalidInput(error.code, error.message, { at: error.at, cause: error, ...FAILURE });
    }
  }

  #checkClassification(actor: WorkflowActor, { classification }: Workflow): void {
    if (this.#dependencies.classification.isAccessible(actor.classification, classification)) return;
    const message = `The classification ${classification} is above yours, ${actor.classification}.`;
    throw new Forbidden('classification_refused', message, FAILURE);
  }
}

/** @throws InvalidInput `workflow_incomplete`, `invalid_query` */
function checkInput({ name, query }: Raw): void {
  if (typeof name !== 'string' || name === '') throw incomplete('Name field is required');
  if (typeof query !== 'string' || query === '') throw incomplete('Query field is required');
  try {
    compileQuery(query, alertDocument);
  } catch (error) {
    if (!isTriadError(error)) throw error;
    throw new InvalidInput(error.code, 'Query contains an error', { at: error.at, cause: error, ...FAILURE });
  }
}

function incomplete(message: string): InvalidInput {
  return new InvalidInput('workflow_incomplete', message, FAILURE);
}

function workflowMissing(id: string): NotFound {
  return new NotFound('workflow_missing', `Workflow ID ${id} does not exist`, FAILURE);
}
