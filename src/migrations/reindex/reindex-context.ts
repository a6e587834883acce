import type { BootstrapLock } from '../../datastore/bootstrap/bootstrap-lock.ts';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { Conflict } from '../../errors/errors.ts';

/** Kinds of documents with another mapping in version 3.0.0, smallest first. */
export const REINDEX_KINDS = ['view', 'analytic', 'hit'] as const;
export type ReindexKind = (typeof REINDEX_KINDS)[number];

/** Part of the name of indices that keep the documents as they were. */
const KEPT_MARK = 'before-3.0.0';

/** Names around one physical index. Only the first begins with the alias, as generations do. */
export interface IndexNames {
  /** `<prefix>-hit_hot`, `<prefix>-hit-000001` ... */
  readonly index: string;
  /** `<prefix>-reindex-hit_hot`: the documents under the new mapping, until they get the name. */
  readonly target: string;
  /** `<prefix>-before-3.0.0-hit_hot`: the documents under the old mapping, kept. */
  readonly kept: string;
}

/** @throws Conflict `unexpected_index`, when the name does not begin with the alias */
export function indexNames(prefix: string, kind: ReindexKind, index: string): IndexNames {
  const alias = `${prefix}-${kind}`;
  if (!index.startsWith(alias)) {
    throw new Conflict(
      'unexpected_index',
      `The alias ${alias} is on the index ${index}, whose name does not begin with ${alias}. Move its documents to ${alias}_hot first.`,
    );
  }
  const rest = index.slice(prefix.length + 1);
  return { index, target: `${prefix}-reindex-${rest}`, kept: `${prefix}-${KEPT_MARK}-${rest}` };
}

/** Beginning of the names of all targets of a kind. */
export function targetStart(prefix: string, kind: ReindexKind): string {
  return `${prefix}-reindex-${kind}`;
}

/** Beginning of the names of all kept indices of a kind. */
export function keptStart(prefix: string, kind: ReindexKind): string {
  return `${prefix}-${KEPT_MARK}-${kind}`;
}

/** The index that a target or kept index belongs to. */
export function indexOf(prefix: string, name: string): string {
  for (const mark of ['reindex', KEPT_MARK]) {
    const start = `${prefix}-${mark}-`;
    if (name.startsWith(start)) return `${prefix}-${name.slice(start.length)}`;
  }
  return name;
}

/** Returns the name that the public system's own tool gives its target. */
export function foreignTarget(index: string): string {
  return `${index}__reindex`;
}

/** Returns the alias on the target that names the task filling it, so that a later run can wait for it. */
export function taskAlias(target: string, task: string): string {
  return `${target}-task-${Buffer.from(task).toString('hex')}`;
}

/** The task that an alias of the target names. */
export function taskOfAlias(target: string, alias: string): string | undefined {
  const start = `${target}-task-`;
  return alias.startsWith(start) ? Buffer.from(alias.slice(start.length), 'hex').toString() : undefined;
}

/** Receives the progress of a reindex. */
export interface ReindexReport {
  /** Something that a person should know; whole sentences. */
  note(message: string): void;
  /** Documents of the index that are copied, of all. */
  progress(index: string, done: number, total: number): void;
}

/** Milliseconds. */
export interface ReindexTimes {
  /** Between two looks at a running copy. */
  readonly pollEvery: number;
  /** Time after which a copy whose task cannot be polled counts as ended. */
  readonly settle: number;
  /** Longest wait for a copy that was told to end. */
  readonly longestEnd: number;
}

/** `pollEvery` as the default of `datastore.task_poll_interval`. */
export const USUAL_REINDEX_TIMES: ReindexTimes = { pollEvery: 500, settle: 1_000, longestEnd: 120_000 };

/** The context of the steps of a reindex. */
export interface ReindexContext {
  readonly admin: IndexAdmin;
  readonly kind: ReindexKind;
  /** The present one, which the new indices get. */
  readonly definition: CollectionDefinition<unknown>;
  readonly lock: BootstrapLock;
  /** Continues without documents that the new mapping refuses. */
  readonly allowFailures: boolean;
  readonly report: ReindexReport;
  readonly times: ReindexTimes;
  /** Obeyed until the alias is switched; what follows is short and is finished. */
  readonly signal: AbortSignal;
}
