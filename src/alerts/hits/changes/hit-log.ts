import type { Version } from '../../../datastore/port/collection.ts';
import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';
import { NOW } from '../triage/triage-transitions.ts';
import { valueAt } from './value-at.ts';

export type LogEntry = Hit['howler']['log'][number];

/** One change of a field of an alert, with what the alert's log has to say of it. */
export interface HitChange {
  /** `append_missing`: no change when the list has an equal item; `remove`: the first equal item. A `set` of null clears. */
  readonly kind: 'set' | 'append' | 'append_missing' | 'remove';
  /** Dotted path. */
  readonly key: string;
  readonly value: unknown;
  /** Sentence for people. */
  readonly explanation?: string;
  /** The log does not speak of it. */
  readonly silent?: true;
  /** What the log shows instead of the value and of the value before. */
  readonly shown?: { readonly newValue: string; readonly previousValue: string };
}

/** Who changes which version of an alert, and when. */
export interface ChangeContext {
  readonly hit: Hit;
  /** Undefined when many alerts are changed at once. */
  readonly version: Version | undefined;
  readonly username: string;
  /** As documents keep times. */
  readonly now: string;
}

/** Log entry of an event that changes no field by itself. */
export function eventEntry(context: Pick<ChangeContext, 'username' | 'now'>, explanation: string): LogEntry {
  return { timestamp: context.now, user: context.username, explanation };
}

/** The changes as operations on the stored alert, each followed by its log entry. */
export function changeOperations(changes: readonly HitChange[], context: ChangeContext): readonly UpdateOperation[] {
  return changes.flatMap((change) =>
    change.silent
      ? [operationOf(change, context)]
      : [operationOf(change, context), logOperation(entryOf(change, context))],
  );
}

export function logOperation(entry: LogEntry): UpdateOperation {
  return { op: 'append', path: 'howler.log', value: entry };
}

/** What a field reads as once it is cleared; the others are absent then. */
const CLEARED: Readonly<Record<string, string>> = { 'howler.escalation': 'hit' };

function operationOf({ kind, key, value }: HitChange, { now }: ChangeContext): UpdateOperation {
  if (kind !== 'set') return { op: kind, path: key, value };
  const stored = value === NOW ? now : (value ?? CLEARED[key]);
  return stored === undefined ? { op: 'unset', path: key } : { op: 'set', path: key, value: stored };
}

const OPERATION_TYPES = { set: 'set', append: 'appended', append_missing: 'appended', remove: 'removed' } as const;

function entryOf(change: HitChange, { hit, version, username, now }: ChangeContext): LogEntry {
  return {
    timestamp: now,
    user: username,
    key: change.key,
    new_value: change.shown?.newValue ?? shownValue(change.value),
    previous_value: change.shown?.previousValue ?? shownValue(valueAt(hit, change.key)),
    type: OPERATION_TYPES[change.kind],
    ...(change.explanation === undefined ? {} : { explanation: change.explanation }),
    ...(version === undefined ? {} : { previous_version: version }),
  };
}

/** Nothing, an empty text and an empty list are all shown as `None`. */
function shownValue(value: unknown): string {
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return empty ? 'None' : pythonText(value);
}
