/**
 * One change on a dotted path; a list applies in order and atomically. Missing parents are created.
 * Values are stored as given (validated by the caller); integers beyond ±(2^53 - 1) are bigint.
 */
export type UpdateOperation =
  | { readonly op: 'set'; readonly path: string; readonly value: unknown }
  /** Removes the property. Missing: no change. */
  | { readonly op: 'unset'; readonly path: string }
  /** Copies the value of another path, only when that is present and not null. */
  | { readonly op: 'set_from'; readonly path: string; readonly from: string }
  /** Adds; a missing or null value counts as 0. Decrement by a negative amount. */
  | { readonly op: 'increment'; readonly path: string; readonly by: number | bigint }
  /** Stores `value` when the present one is missing, null or smaller (larger for `min`). */
  | { readonly op: 'max' | 'min'; readonly path: string; readonly value: number | bigint | string }
  /** Lists. A missing or null list counts as empty. `append_missing` compares by value. */
  | {
      readonly op: 'append' | 'append_missing' | 'prepend' | 'prepend_missing';
      readonly path: string;
      readonly value: unknown;
    }
  /** Removes the first equal item of a list. Missing: no change. */
  | { readonly op: 'remove'; readonly path: string; readonly value: unknown }
  /** Removes the item at a list index, or the key of an object. Missing: no change. */
  | { readonly op: 'remove_at'; readonly path: string; readonly key: number | string };
