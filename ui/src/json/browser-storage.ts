/** The part of a browser's storage that is used; tests have one of their own. */
export type KeptStrings = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Returns the JSON value that this browser keeps under a key; undefined where it keeps none. */
export function readKept(key: string, storage: KeptStrings | undefined = browserStorage()): unknown {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(key) ?? 'null');
    return kept ?? undefined;
  } catch {
    // Written by another program of this address, or reading is forbidden.
    return undefined;
  }
}

/** Keeps a JSON value in this browser; undefined forgets it. A full storage stays as it is. */
export function keep(key: string, value: unknown, storage: KeptStrings | undefined = browserStorage()): void {
  try {
    if (value === undefined) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify(value));
  } catch {
    // What is kept is a convenience: the page has the value itself.
  }
}

/** Returns the storage of the browser; some settings forbid it, and reading it then throws. */
function browserStorage(): KeptStrings | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
