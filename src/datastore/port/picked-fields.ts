import { isObject } from '../../documents/schema/plain-objects.ts';

type Fields = Record<string, unknown>;

/** The fields of documents that a request asks for. */
export interface FieldPick {
  /** Dotted paths or globs; undefined: everything. */
  readonly patterns: readonly string[] | undefined;
  /** Keeps these fields of a document; a path keeps everything below it. */
  pick(document: Fields): Fields;
}

/** Compiles the patterns of a request once for all its documents. */
export function fieldPick(patterns: readonly string[] | undefined): FieldPick {
  if (patterns === undefined || patterns.includes('*')) return { patterns: undefined, pick: (document) => document };
  const tests = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(literal).join('.*')}(?:\\.|$)`, 's'));
  const wanted: Wanted = (path) => tests.some((test) => test.test(path));
  return { patterns, pick: (document) => pickObject(document, '', wanted) ?? {} };
}

type Wanted = (path: string) => boolean;

function pickObject(object: Fields, prefix: string, wanted: Wanted): Fields | undefined {
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
