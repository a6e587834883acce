import type { QueryClient } from '@tanstack/react-query';
import { type Alert, type AlertCopy, isNewerVersion, type Triage, withTriage } from '../alert.ts';

/** A change of an alert that this window knows of, for lists that hold rows of their own. */
export type AlertUpdate =
  /** The whole alert, as the service answered or announced it. */
  | { readonly id: string; readonly alert: Alert }
  /** The triage that a change leads to, before or without an answer with the whole alert. */
  | { readonly id: string; readonly triage: Triage }
  /** It changed, and its row has to be read again. */
  | { readonly id: string; readonly isExpired: true };

type Listener = (update: AlertUpdate) => void;

export const alertKey = (id: string) => ['alerts', 'hit', id] as const;

/** Alerts whose newest version is remembered, those that had news last. */
const MAX_VERSIONS = 5_000;

/** The one place in this window that knows the newest state of alerts. */
export class AlertCopies {
  readonly #queries: QueryClient;
  /** Versions of alerts in lists, too: an answer may come after a frame that is newer. */
  readonly #versions = new Map<string, string>();
  readonly #listeners = new Set<Listener>();

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** Listens to changes of any alert. Returns what ends it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  read(id: string): AlertCopy | undefined {
    return this.#queries.getQueryData<AlertCopy>(alertKey(id));
  }

  /** Takes an answer or a live frame over, unless the copy is newer already. */
  replace(copy: AlertCopy): void {
    const { id } = copy.alert.howler;
    const present = this.read(id);
    if (isNewerVersion(present?.version, copy.version) || isNewerVersion(this.#versions.get(id), copy.version)) return;
    if (copy.version !== undefined) this.#noteVersion(id, copy.version);
    // Answers of writes have no metadata; it does not change with the alert.
    if (present !== undefined) this.#queries.setQueryData(alertKey(id), merged(present, copy));
    this.#notify({ id, alert: copy.alert });
  }

  /** Shows a triage before the service has answered; the version stays, for the answer replaces all. */
  predict(id: string, triage: Triage): void {
    const present = this.read(id);
    if (present !== undefined) {
      this.#queries.setQueryData(alertKey(id), { ...present, alert: withTriage(present.alert, triage) });
    }
    this.#notify({ id, triage });
  }

  /** Marks alerts whose present state only the service knows. */
  expire(ids: readonly string[]): void {
    for (const id of ids) {
      void this.#queries.invalidateQueries({ queryKey: alertKey(id) });
      this.#notify({ id, isExpired: true });
    }
  }

  #noteVersion(id: string, version: string): void {
    this.#versions.delete(id);
    this.#versions.set(id, version);
    const [oldest = ''] = this.#versions.keys();
    if (this.#versions.size > MAX_VERSIONS) this.#versions.delete(oldest);
  }

  #notify(update: AlertUpdate): void {
    for (const listener of this.#listeners) listener(update);
  }
}

function merged(present: AlertCopy, { alert, version }: AlertCopy): AlertCopy {
  const { __template, __overview, __analytic, __dossiers } = present.alert;
  const metadata = Object.fromEntries(
    Object.entries({ __template, __overview, __analytic, __dossiers }).filter(([, value]) => value !== undefined),
  );
  return { alert: { ...metadata, ...alert }, version };
}

const copiesOf = new WeakMap<QueryClient, AlertCopies>();

/** Returns the copies that belong to a query client, always the same ones. */
export function alertCopies(queries: QueryClient): AlertCopies {
  const copies = copiesOf.get(queries) ?? new AlertCopies(queries);
  copiesOf.set(queries, copies);
  return copies;
}
