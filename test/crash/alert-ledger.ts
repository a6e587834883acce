import type { Alert } from './alert-client.ts';

/** The answers about one alert. */
export interface AlertRecord {
  readonly id: string;
  readonly batch: string;
  score: number;
  tags: string[];
  assigned: boolean;
  comments: string[];
}

/** A request that was sent and not answered: it was done, or it was not. Nothing in between is allowed. */
export type OpenRequest =
  | { readonly kind: 'create'; readonly batch: string; readonly count: number }
  | { readonly kind: 'comment'; readonly record: AlertRecord; readonly value: string }
  | { readonly kind: 'update'; readonly record: AlertRecord; readonly tag: string }
  | { readonly kind: 'transition'; readonly record: AlertRecord; readonly assigned: boolean }
  | { readonly kind: 'delete'; readonly records: readonly AlertRecord[] };

/** Records what must be stored, by every answered request, and what may be. */
export class AlertLedger {
  readonly #records = new Map<string, AlertRecord>();
  readonly #open = new Set<OpenRequest>();
  answered = 0;

  get records(): ReadonlyMap<string, AlertRecord> {
    return this.#records;
  }

  /** Sends a request: open until `send` resolves, then in force. A failure leaves it open. */
  async record<T>(request: OpenRequest, send: () => Promise<T>): Promise<T> {
    this.#open.add(request);
    const answer = await send();
    this.#open.delete(request);
    this.#put(request, Array.isArray(answer) ? (answer as string[]) : []);
    this.answered += 1;
    return answer;
  }

  /**
   * Compares with what is stored, and takes over what became of the open requests.
   * @returns what is wrong, a sentence each
   */
  settle(stored: readonly Alert[]): string[] {
    const problems: string[] = [];
    const byId = new Map(stored.map((alert) => [alert.id, alert]));
    if (byId.size !== stored.length) problems.push(`${stored.length - byId.size} alerts are there twice`);
    for (const request of this.#open) problems.push(...this.#settleOpen(request, stored, byId));
    this.#open.clear();
    for (const record of this.#records.values()) problems.push(...differences(record, byId.get(record.id)));
    for (const { id, batch } of stored) {
      if (!this.#records.has(id)) problems.push(`${id} of ${batch} is there and was never created, or was deleted`);
    }
    return problems;
  }

  #settleOpen(request: OpenRequest, stored: readonly Alert[], byId: ReadonlyMap<string, Alert>): string[] {
    switch (request.kind) {
      case 'create': {
        const created = stored.filter(({ batch }) => batch === request.batch);
        if (created.length === 0) return [];
        this.#put(
          request,
          created.map(({ id }) => id),
        );
        return created.length === request.count
          ? []
          : [`${created.length} of ${request.count} alerts of the batch ${request.batch} are there: not all or none`];
      }
      case 'delete': {
        const left = request.records.filter(({ id }) => byId.has(id));
        if (left.length > 0 && left.length < request.records.length) {
          return [`${left.length} of ${request.records.length} alerts of one deletion are left: not all or none`];
        }
        if (left.length === 0) this.#put(request, []);
        return [];
      }
      case 'comment':
        if (byId.get(request.record.id)?.comments.includes(request.value)) this.#put(request, []);
        return [];
      case 'update':
        if (byId.get(request.record.id)?.tags.includes(request.tag)) this.#put(request, []);
        return [];
      case 'transition':
        if (isAssigned(byId.get(request.record.id)) === request.assigned) this.#put(request, []);
        return [];
    }
  }

  #put(request: OpenRequest, ids: readonly string[]): void {
    switch (request.kind) {
      case 'create':
        for (const id of ids) {
          this.#records.set(id, { id, batch: request.batch, score: 0, tags: [], assigned: false, comments: [] });
        }
        return;
      case 'delete':
        for (const { id } of request.records) this.#records.delete(id);
        return;
      case 'comment':
        request.record.comments.push(request.value);
        return;
      case 'update':
        request.record.score += 1;
        request.record.tags.push(request.tag);
        return;
      case 'transition':
        request.record.assigned = request.assigned;
    }
  }
}

function isAssigned(alert: Alert | undefined): boolean {
  return alert?.status === 'in-progress';
}

/** Returns the differences between a stored alert and its record. */
export function differences(record: AlertRecord, alert: Alert | undefined): string[] {
  if (alert === undefined) return [`${record.id} of ${record.batch} was created and is not there`];
  const problems: string[] = [];
  const compare = (what: string, expected: unknown, found: unknown): void => {
    const [wanted, present] = [JSON.stringify(expected), JSON.stringify(found)];
    if (wanted !== present) problems.push(`${record.id}: ${what} is ${present}, not ${wanted}`);
  };
  compare('batch', record.batch, alert.batch);
  compare('score', record.score, alert.score);
  compare('tags', record.tags, alert.tags);
  compare('comments', record.comments, alert.comments);
  compare('status', record.assigned ? 'in-progress' : 'open', alert.status);
  compare('assignment', record.assigned ? 'admin' : 'unassigned', alert.assignment);
  return problems;
}
