import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { valueAt } from '../../documents/schema/plain-objects.ts';
import { isSha256 } from '../../file-storage/file-content.ts';

/** Fields of file documents that files are asked for by. */
const FIELDS: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  tlsh: 'tlsh',
  ssdeep: 'ssdeep',
  url: 'uri_info.uri',
};
const HEXADECIMAL: ReadonlySet<string> = new Set(['md5', 'sha1']);
const MAX_CANDIDATES = 10;

/** Returns the document of a file by a hash or its address, if the caller may see one. */
export async function findKnownFile(
  collection: Pick<Collection<FileRecord>, 'get' | 'search'>,
  type: string,
  value: string,
  access: ReadAccess,
): Promise<FileRecord | undefined> {
  if (type === 'sha256') {
    const sha256 = value.toLowerCase();
    return isSha256(sha256) ? collection.get(sha256, access) : undefined;
  }
  const field = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (field === undefined) return undefined;
  const wanted = HEXADECIMAL.has(type) ? value.toLowerCase() : value;
  const { items } = await collection.search({ query: queryFor(type, field, wanted), rows: MAX_CANDIDATES }, access);
  return items.map((one) => one.document).find((document) => valueAt(document, field) === wanted);
}

/** Values of ssdeep are indexed by their parts. */
function queryFor(type: string, field: string, value: string): QueryNode {
  if (type !== 'ssdeep') return { kind: 'term', field, value };
  const parts = value.split(':').filter((part) => part !== '');
  return parts.length === 0
    ? { kind: 'none' }
    : allOf(...parts.map((part) => ({ kind: 'term', field, value: part }) as const));
}
