import { countRecords, type Found, searchRecords } from '../../../../api/alert-searches.ts';
import { alerts, dataOf, versionedDataOf } from '../../../../api/clients.ts';
import type { components } from '../../../../api/generated/alerts.ts';
import type { Alert, AlertCopy, LabelSet, Triage } from '../alert.ts';
import type { Step } from '../changes/transitions.ts';

export type StoredAction = components['schemas']['Action'];
export type Case = components['schemas']['Case'];

/** A run of operations on the alerts of a query. */
export interface Execution {
  /** The name under which frames `action` report its progress. */
  readonly requestId: string;
  readonly query: string;
  readonly operations: readonly { readonly operation_id: string; readonly data_json: string }[];
}

/** The result of one operation, for the alerts of its query. */
export interface Outcome {
  readonly query: string;
  readonly outcome: 'success' | 'skipped' | 'error';
  readonly title: string;
  readonly message: string;
}

const ifMatch = (version: string | undefined) => (version === undefined ? {} : { headers: { 'if-match': version } });

type Answer = Promise<{ readonly data: unknown; readonly version: string | undefined }>;

async function copyOf(answer: Answer): Promise<AlertCopy> {
  const { data, version } = await answer;
  return { alert: data as Alert, version };
}

/** The requests that triage makes. Every refusal is thrown as an ApiProblem. */
export const alertApi = {
  read(id: string, signal?: AbortSignal): Promise<AlertCopy> {
    const options = { params: { path: { id } }, ...(signal === undefined ? {} : { signal }) };
    return copyOf(versionedDataOf(alerts.GET('/api/v1/hit/{id}', options)));
  },

  transition(id: string, { transition, data }: Step, version: string | undefined): Promise<AlertCopy> {
    const body = { transition, data };
    const options = { params: { path: { id } }, body, ...ifMatch(version) };
    return copyOf(versionedDataOf(alerts.POST('/api/v1/hit/{id}/transition', options)));
  },

  restore(id: string, triage: Triage, version: string | undefined): Promise<AlertCopy> {
    const present = Object.entries(triage).filter(([, value]) => value !== undefined);
    const body = Object.fromEntries(present) as { -readonly [Key in keyof Triage]: Exclude<Triage[Key], undefined> };
    const options = { params: { path: { id } }, body, ...ifMatch(version) };
    return copyOf(versionedDataOf(alerts.PUT('/api/v1/hit/{id}/triage', options)));
  },

  vote(id: string, vote: string, email: string, version: string | undefined): Promise<AlertCopy> {
    const body = { transition: 'vote', data: { vote, email } } as const;
    const options = { params: { path: { id } }, body, ...ifMatch(version) };
    return copyOf(versionedDataOf(alerts.POST('/api/v1/hit/{id}/transition', options)));
  },

  label(kind: 'add' | 'remove', id: string, set: LabelSet, value: readonly string[]): Promise<AlertCopy> {
    const options = { params: { path: { id, label_set: set } }, body: { value: [...value] } };
    const path = '/api/v1/hit/{id}/labels/{label_set}';
    return copyOf(versionedDataOf(kind === 'add' ? alerts.PUT(path, options) : alerts.DELETE(path, options)));
  },

  comment(id: string, value: string): Promise<AlertCopy> {
    const options = { params: { path: { id } }, body: { value } };
    return copyOf(versionedDataOf(alerts.POST('/api/v1/hit/{id}/comments', options)));
  },

  editComment(id: string, comment_id: string, value: string): Promise<AlertCopy> {
    const options = { params: { path: { id, comment_id } }, body: { value } };
    return copyOf(versionedDataOf(alerts.PUT('/api/v1/hit/{id}/comments/{comment_id}', options)));
  },

  deleteComment(id: string, commentId: string): Promise<AlertCopy> {
    const options = { params: { path: { id } }, body: [commentId] };
    return copyOf(versionedDataOf(alerts.DELETE('/api/v1/hit/{id}/comments', options)));
  },

  /** @param type name of the reaction; undefined takes the own one back */
  react(id: string, comment_id: string, type: string | undefined): Promise<AlertCopy> {
    const path = '/api/v1/hit/{id}/comments/{comment_id}/react';
    const params = { path: { id, comment_id } };
    return copyOf(
      versionedDataOf(
        type === undefined ? alerts.DELETE(path, { params }) : alerts.PUT(path, { params, body: { type } }),
      ),
    );
  },

  readCase(id: string): Promise<Case> {
    return dataOf(alerts.GET('/api/v2/case/{id}', { params: { path: { id } } }));
  },

  file(caseId: string, alertId: string, path: string | undefined): Promise<Case> {
    const body = { type: 'hit', value: alertId, name: null, ...(path === undefined ? {} : { path }) } as const;
    return dataOf(alerts.POST('/api/v2/case/{id}/items', { params: { path: { id: caseId } }, body }));
  },

  unfile(caseId: string, itemIds: readonly string[]): Promise<Case> {
    const options = { params: { path: { id: caseId } }, body: { ids: [...itemIds] } };
    return dataOf(alerts.DELETE('/api/v2/case/{id}/items', options));
  },

  readAction(id: string): Promise<StoredAction> {
    return dataOf(alerts.GET('/api/v1/action/{id}', { params: { path: { id } } }));
  },

  runAction(id: string, request_id: string, query: string): Promise<Readonly<Record<string, readonly Outcome[]>>> {
    const options = { params: { path: { id } }, body: { request_id, query } };
    return dataOf(alerts.POST('/api/v1/action/{id}/execute', options));
  },

  /** @param values by dotted path; null takes a value away */
  setFields(id: string, values: Readonly<Record<string, unknown>>): Promise<AlertCopy> {
    const body = Object.entries(values).map(([field, value]) => ['SET', field, value]);
    return copyOf(versionedDataOf(alerts.PUT('/api/v1/hit/{id}/update', { params: { path: { id } }, body })));
  },

  execute({ requestId, query, operations }: Execution): Promise<Readonly<Record<string, readonly Outcome[]>>> {
    const body = { request_id: requestId, query, operations: [...operations] };
    return dataOf(alerts.POST('/api/v1/action/execute', { body }));
  },

  /** Returns the first rows of a query, at most 500. */
  async rows(query: string, filters: readonly string[], fields: string): Promise<readonly Alert[]> {
    return (await searchRecords<Alert>({ query, filters, fl: fields, rows: PAGE_ROWS })).items;
  },

  /** Yields all rows of a query, page by page. */
  async *pages(query: string, filters: readonly string[], fields: string): AsyncGenerator<readonly Alert[]> {
    const search = { query, filters, fl: fields, rows: PAGE_ROWS };
    let cursor: string | undefined = '*';
    while (cursor !== undefined) {
      const page: Found<Alert> = await searchRecords<Alert>({ ...search, deep_paging_id: cursor });
      yield page.items;
      cursor = page.next;
    }
  },

  count(query: string, filters: readonly string[]): Promise<number> {
    return countRecords({ query, filters });
  },
};

const PAGE_ROWS = 500;

export type AlertApi = typeof alertApi;
