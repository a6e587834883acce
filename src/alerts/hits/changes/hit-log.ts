import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import type { Version } from '../../../datastore/port/versions.ts';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { valueAt } from '../../../documents/schema/plain-objects.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';

/** Stands for the time of the change in a change of an alert and in its log entry. */
export const NOW = 'NOW';

export type LogEntry = Hit['howler']['log'][number];

/** One change of a field of an alert, and how the log of the alert shows it. */
export interface HitChange {
  /** `append_missing` skips equal items, `remove` takes the first equal item, a `set` of null clears. */
  readonly kind: 'set' | 'append' | 'append_missing' | 'remove';
  /** Dotted path. */
  readonly key: string;
  readonly value: unknown;
  /** Sentence for people. */
  readonly explanation?: string;
  /** The log leaves the change out. */
  readonly silent?: true;
  /** Shown in the log instead of the value and of the value before. */
  readonly shown?: { readonly newValue: string; readonly previousValue: string };
}

/** The version of an alert that is changed, by whom, and when. */
export interface ChangeContext {
  readonly hit: Hit;
  readonly version: Version;
  readonly username: string;
  /** In the format of documents. */
  readonly now: string;
}

/** Returns the log entry of an event that changes no field by itself. */
export function eventEntry(context: Pick<ChangeContext, 'username' | 'now'>, explanation: string): LogEntry {
  return { timestamp: context.now, user: context.username, explanation };
}

/** Returns the changes as operations on the stored alert, each followed by its log entry. */
export function changeOperations(changes: readonly HitChange[], context: ChangeContext): readonly UpdateOperation[] {
  /** By field: one call may add hundreds of labels to a long list. */
  const before = new Map<string, string>();
  const shownBefore = (key: string): string => {
    const shown = before.get(key) ?? shownValue(valueAt(context.hit, key));
    before.set(key, shown);
    return shown;
  };
  return changes.flatMap((change) =>
    change.silent
      ? [operationOf(change, context)]
      : [operationOf(change, context), logOperation(entryOf(change, context, shownBefore))],
  );
}

export function logOperation(entry: LogEntry): UpdateOperation {
  return { op: 'append', path: 'howler.log', value: entry };
}

/** Values of fields that are not absent when they are cleared. */
const CLEARED: Readonly<Record<string, string>> = { 'howler.escalation': 'hit' };

function operationOf({ kind, key, value }: HitChange, { now }: ChangeContext): UpdateOperation {
  if (kind !== 'set') return { op: kind, path: key, value };
  const stored = value === NOW ? now : (value ?? CLEARED[key]);
  return stored === undefined ? { op: 'unset', path: key } : { op: 'set', path: key, value: stored };
}

const OPERATION_TYPES = { set: 'set', append: 'appended', append_missing: 'appended', remove: 'removed' } as const;

function entryOf(
  { key, kind, value, shown, explanation }: HitChange,
  { version, username, now }: ChangeContext,
  shownBefore: (key: string) => string,
): LogEntry {
  return {
    timestamp: now,
    user: username,
    key,
    new_value: shown?.newValue ?? shownValue(value),
    previous_value: shown?.previousValue ?? shownBefore(key),
    type: OPERATION_TYPES[kind],
    ...(explanation === undefined ? {} : { explanation }),
    previous_version: version,
  };
}

/** Characters that the log shows of a list: each changed label has an entry with the list before it. */
const MAX_SHOWN_LIST = 200;

/** Shows nothing, an empty string and an empty list as `None`, and the end of a long list as `…`. */
function shownValue(value: unknown): string {
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (empty) return 'None';
  const text = pythonText(value);
  return Array.isArray(value) && text.length > MAX_SHOWN_LIST ? `${text.slice(0, MAX_SHOWN_LIST - 1)}…` : text;
}
