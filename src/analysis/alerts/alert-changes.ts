import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { ALERT_PRIORITIES, ALERT_STATUSES } from '../../documents/kinds/analysis/parts.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, InvalidInput, isConflict, isTriadError, NotFound } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { type AlertSelectionInput, compileAlertSelection } from './alert-query.ts';

export interface AlertChangesDependencies {
  readonly alerts: Collection<AnalysisAlert>;
  readonly submissions: Pick<Collection<Submission>, 'update'>;
  readonly classification: ClassificationEngine;
  readonly now?: () => Date;
}

export type AlertActor = Pick<Actor, 'username' | 'name' | 'searchAccess'>;

/** Changes that people and workflows make of an alert. */
export interface AlertChange {
  readonly status?: AnalysisAlert['status'];
  readonly priority?: AnalysisAlert['priority'];
  readonly labels?: readonly string[];
  readonly removedLabels?: readonly string[];
}

/** The user or workflow that changes an alert. */
export interface AlertEntity {
  readonly type: 'user' | 'workflow';
  readonly id: string;
  readonly name: string;
}

const FAILURE = { response: { success: false } };
/** Labels of one change, and characters of one label. */
const MAX_LABELS = 100;
const MAX_LABEL_LENGTH = 1000;
const VERDICTS = { malicious: 'non_malicious', non_malicious: 'malicious' } as const;
const UNOWNED: QueryNode = not({ kind: 'exists', field: 'owner' });
const SAME_SUBMISSION = unrestricted('a verdict is about a submission, and counts on all of its alerts');

/** Changes alerts in the name of people; every change but verdicts and owners becomes an event. */
export class AlertChanges {
  readonly #alerts: Collection<AnalysisAlert>;
  readonly #submissions: AlertChangesDependencies['submissions'];
  readonly #now: () => Date;

  constructor({ alerts, submissions, classification, now = () => new Date() }: AlertChangesDependencies) {
    this.#alerts = classifiedCollection(alerts, alertDocument, classification);
    this.#submissions = submissions;
    this.#now = now;
  }

  /** Changes what is different from the present state. @throws NotFound `alert_missing` */
  async change(actor: AlertActor, id: string, change: AlertChange): Promise<void> {
    const alert = await this.#get(actor, id);
    const labels = change.labels?.filter((label) => !alert.label.includes(label)) ?? [];
    const removedLabels = change.removedLabels?.filter((label) => alert.label.includes(label)) ?? [];
    const different: AlertChange = {
      ...(change.status === alert.status ? {} : { status: change.status }),
      ...(change.priority === alert.priority ? {} : { priority: change.priority }),
      labels,
      removedLabels,
    };
    const operations = changeOperations(different, entityOf(actor), this.#now());
    if (operations.length > 0) await this.#alerts.update(id, operations, { visible: 'now' });
  }

  /** Changes all alerts of a selection, and returns how many. @throws InvalidInput `invalid_query` */
  async changeAll(actor: AlertActor, input: AlertSelectionInput, change: AlertChange): Promise<number> {
    const operations = changeOperations(change, entityOf(actor), this.#now());
    return operations.length === 0 ? 0 : this.#updateAll(actor, input, operations);
  }

  /** Makes the actor the owner. @throws NotFound `alert_missing`; Forbidden `alert_owned` */
  async own(actor: AlertActor, id: string): Promise<void> {
    await retryOnConflict(async () => {
      const found = await this.#alerts.getVersioned(id, actor.searchAccess);
      if (found === undefined) throw alertMissing(id);
      const { owner } = found.document;
      if (owner) throw new Forbidden('alert_owned', `Alert is already owned by ${owner}`, FAILURE);
      const operations = [{ op: 'set', path: 'owner', value: actor.username } as const];
      await this.#alerts.update(id, operations, { ifVersion: found.version, visible: 'now' });
    }, isConflict);
  }

  /** Makes the actor the owner of all alerts of a selection that have none. @throws as `changeAll` */
  ownAll(actor: AlertActor, input: AlertSelectionInput): Promise<number> {
    return this.#updateAll(actor, input, [{ op: 'set', path: 'owner', value: actor.username }], [UNOWNED]);
  }

  /** Records the opinion of the actor. @throws InvalidInput `invalid_verdict`; NotFound `alert_missing` */
  async judge(actor: AlertActor, id: string, verdict: string): Promise<void> {
    if (verdict !== 'malicious' && verdict !== 'non_malicious') {
      throw new InvalidInput('invalid_verdict', `'${verdict}' is not a valid verdict.`, FAILURE);
    }
    const alert = await this.#alerts.get(id, actor.searchAccess);
    if (alert === undefined) throw new NotFound('alert_missing', `There are no alert with id: ${id}`, FAILURE);
    const value = actor.username;
    const operations: readonly UpdateOperation[] = [
      { op: 'append_missing', path: `verdict.${verdict}`, value },
      { op: 'remove', path: `verdict.${VERDICTS[verdict]}`, value },
    ];
    const query: QueryNode = { kind: 'term', field: 'sid', value: alert.sid };
    await this.#alerts.updateWhere({ query }, operations, { access: SAME_SUBMISSION, visible: 'now' });
    try {
      await this.#submissions.update(alert.sid, operations, { visible: 'now' });
    } catch (error) {
      // Submissions may be deleted before their alerts.
      if (!isTriadError(error) || error.code !== 'document_missing') throw error;
    }
  }

  async #get(actor: AlertActor, id: string): Promise<AnalysisAlert> {
    const alert = await this.#alerts.get(id, actor.searchAccess);
    if (alert === undefined) throw alertMissing(id);
    return alert;
  }

  async #updateAll(
    actor: AlertActor,
    input: AlertSelectionInput,
    operations: readonly UpdateOperation[],
    more: readonly QueryNode[] = [],
  ): Promise<number> {
    const { query, filters } = compileAlertSelection(input, input.tc_start, this.#now());
    const selection = { query, filters: [...filters, ...more] };
    const { changed } = await this.#alerts.updateWhere(selection, operations, {
      access: actor.searchAccess,
      visible: 'now',
    });
    return changed;
  }
}

/** Returns the operations of a change with its event; none for a change of nothing. */
export function changeOperations(
  { status, priority, labels = [], removedLabels = [] }: AlertChange,
  entity: AlertEntity,
  now: Date,
): readonly UpdateOperation[] {
  const operations: UpdateOperation[] = [
    ...(status ? [{ op: 'set', path: 'status', value: status } as const] : []),
    ...(priority ? [{ op: 'set', path: 'priority', value: priority } as const] : []),
    ...labels.map((value) => ({ op: 'append_missing', path: 'label', value }) as const),
    ...removedLabels.map((value) => ({ op: 'remove', path: 'label', value }) as const),
  ];
  if (operations.length === 0) return [];
  const event = {
    entity_type: entity.type,
    entity_id: entity.id,
    entity_name: entity.name,
    ts: formatDate(now),
    labels: [...labels],
    labels_removed: [...removedLabels],
    ...(status ? { status } : {}),
    ...(priority ? { priority } : {}),
  };
  return [...operations, { op: 'append', path: 'events', value: event }];
}

/** Reads a priority of any case. @throws InvalidInput `invalid_priority` */
export function readPriority(value: unknown): NonNullable<AlertChange['priority']> {
  const known = typeof value === 'string' && ALERT_PRIORITIES.find((one) => one === value.toUpperCase());
  if (!known) throw new InvalidInput('invalid_priority', 'Invalid priority received.', FAILURE);
  return known;
}

/** Reads a status of any case. @throws InvalidInput `invalid_status` */
export function readStatus(value: unknown): NonNullable<AlertChange['status']> {
  const known = typeof value === 'string' && ALERT_STATUSES.find((one) => one === value.toUpperCase());
  if (!known) throw new InvalidInput('invalid_status', 'Invalid status received.', FAILURE);
  return known;
}

/** Reads a list of labels in upper case, each once. @throws InvalidInput `invalid_labels` */
export function readLabels(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.length <= MAX_LABELS;
  if (!isList || !value.every((one) => typeof one === 'string' && one !== '' && one.length <= MAX_LABEL_LENGTH)) {
    throw new InvalidInput('invalid_labels', 'Invalid list of labels received.', FAILURE);
  }
  return [...new Set(value.map((label: string) => label.toUpperCase()))];
}

function entityOf({ username, name }: AlertActor): AlertEntity {
  return { type: 'user', id: username, name };
}

function alertMissing(id: string): NotFound {
  return new NotFound('alert_missing', `Alert ID ${id} not found`, FAILURE);
}
