import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import type { Version } from '../../../datastore/port/versions.ts';
import type { Event } from '../../../documents/kinds/event.ts';
import type { Hit } from '../../../documents/kinds/hit.ts';
import { valueAt } from '../../../documents/schema/plain-objects.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';

/** Stands for the time of the change in a change of an alert and in its log entry. */
export const NOW = 'NOW';

export type LogEntry = Hit['howler']['log'][number];

/** What a record says of who did and said what, as it is stored: callers overwrite neither. */
export function keptHistory({ howler: { id, log, comment } }: Pick<Hit, 'howler'> | Pick<Event, 'howler'>) {
  return { id, log, comment };
}

/** The history of a record that the user creates: an entry of the log, and the comments that were sent as their own. */
export function newHistory(
  context: Pick<ChangeContext, 'username' | 'now'>,
  comments: Hit['howler']['comment'],
  explanation: string,
): Pick<Hit['howler'], 'log' | 'comment'> {
  const { username: user } = context;
  const comment = comments.map((one) => ({ ...one, user, reactions: {} }));
  return { log: [eventEntry(context, explanation)], comment };
}

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
  /** Of each field that changes: one call may add hundreds of labels to a long list. */
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

/** What a field reads as once it is cleared; the others are absent then. */
const CLEARED: Readonly<Record<string, string>> = { 'howler.escalation': 'hit' };

function operationOf({ kind, key, value }: HitChange, { now }: ChangeContext): UpdateOperation {
  if (kind !== 'set') return { op: kind, path: key, value };
  const stored = value === NOW ? now : (value ?? CLEARED[key]);
  return stored === undefined ? { op: 'unset', path: key } : { op: 'set', path: key, value: stored };
}

const OPERATION_TYPES = { set: 'set', append: 'appended', append_missing: 'appended', remove: 'removed' } as const;

function entryOf(
  change: HitChange,
  { version, username, now }: ChangeContext,
  shownBefore: (key: string) => string,
): LogEntry {
  return {
    timestamp: now,
    user: username,
    key: change.key,
    new_value: change.shown?.newValue ?? shownValue(change.value),
    previous_value: change.shown?.previousValue ?? shownBefore(change.key),
    type: OPERATION_TYPES[change.kind],
    ...(change.explanation === undefined ? {} : { explanation: change.explanation }),
    ...(version === undefined ? {} : { previous_version: version }),
  };
}

/** Characters that the log shows of a list: every label that is added or removed has an entry with the list before it. */
const MAX_SHOWN_LIST = 200;

/** Nothing, an empty string and an empty list are all shown as `None`; the end of a long list as `…`. */
function shownValue(value: unknown): string {
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (empty) return 'None';
  const text = pythonText(value);
  return Array.isArray(value) && text.length > MAX_SHOWN_LIST ? `${text.slice(0, MAX_SHOWN_LIST - 1)}…` : text;
}
