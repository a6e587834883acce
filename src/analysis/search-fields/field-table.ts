import type { CataloguedField } from '../../documents/schema/field-catalogue.ts';

/** The description of a field of an index for clients, which offer names and values in queries. */
export type SearchField = Pick<CataloguedField, 'default' | 'description' | 'indexed' | 'list' | 'stored' | 'type'>;

/** Fields by path, in alphabetical order. */
export type SearchFields = Readonly<Record<string, SearchField>>;

const LINE = /^(?<path>\S+) (?<type>[a-z]+) (?<flags>-|[dils]+) (?<description>.+)$/;

/** Reads lines of path, type, flags (`d` default, `i` indexed, `l` list, `s` stored, `-` none), words. */
export function readFieldTable(table: string): SearchFields {
  const lines = table.trim().split('\n');
  return inOrder(
    lines.map((line): [string, SearchField] => {
      const { path, type = '', flags = '', description = '' } = LINE.exec(line)?.groups ?? {};
      if (path === undefined) throw new Error(`This is not a field: ${line}`);
      return [path, searchField(type, flags, description)];
    }),
  );
}

/** @param flags as in `readFieldTable` */
export function searchField(type: string, flags: string, description: string): SearchField {
  return {
    default: flags.includes('d'),
    description,
    indexed: flags.includes('i'),
    list: flags.includes('l'),
    stored: flags.includes('s'),
    type,
  };
}

/** Sorts fields by path, as the public service lists them. */
export function inOrder(entries: Iterable<readonly [string, SearchField]>): SearchFields {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
