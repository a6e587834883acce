import { isObject } from '../../documents/schema/plain-objects.ts';
/**
 * Keeps the fields of a document that the dotted paths or globs name; a path keeps everything below
 * it.
 */
export function pickFields(
  document: Record<string, unknown>,
  patterns: readonly string[] | undefined,
): Record<string, unknown> {
  if (patterns === undefined || patterns.includes('*')) return document;
  const tests = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(literal).join('.*')}(?:\\.|$)`, 's'));
  return pickObject(document, '', (path) => tests.some((test) => test.test(path))) ?? {};
}

type Wanted = (path: string) => boolean;

function pickObject(
  object: Record<string, unknown>,
  prefix: string,
  wanted: Wanted,
): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const picked = pick(value, prefix + name, wanted);
    if (picked !== undefined) entries.push([name, picked]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function pick(value: unknown, path: string, wanted: Wanted): unknown {
  if (wanted(path)) return value;
  if (Array.isArray(value)) {
    const items = value
      .map((item) => (isObject(item) ? pickObject(item, `${path}.`, wanted) : undefined))
      .filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  return isObject(value) ? pickObject(value, `${path}.`, wanted) : undefined;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
