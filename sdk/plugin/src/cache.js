import { createHash } from 'node:crypto';

/** Returns the key of a lookup; with a user, nobody else gets the entry. */
export function cacheKey({ type, value, annotate, raw, limit, user }) {
  const parts = [type, value, annotate, raw, limit, ...(user === undefined ? [] : [user])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Keeps entries in memory, at most `maximum`, the least recently used leave first. */
export function memoryStore({ maximum = 10_000, now = Date.now } = {}) {
  const entries = new Map();
  return {
    async get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (entry.until <= now()) return undefined;
      entries.set(key, entry);
      return structuredClone(entry.value);
    },
    async set(key, value, seconds) {
      entries.delete(key);
      entries.set(key, { value: structuredClone(value), until: now() + seconds * 1000 });
      if (entries.size > maximum) entries.delete(entries.keys().next().value);
    },
  };
}
