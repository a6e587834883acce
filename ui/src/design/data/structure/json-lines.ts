/** One line of a tree of JSON. */
export interface JsonLine {
  /** JSON Pointer of RFC 6901; unique, and stable while others open and close. */
  readonly path: string;
  readonly depth: number;
  /** The name or number in its parent; undefined for the root. */
  readonly name: string | undefined;
  readonly kind: 'object' | 'list' | 'value' | 'cut';
  /** The number of members of an object or a list; of a cut those that are left out. */
  readonly count: number;
  readonly value: unknown;
  readonly isOpen: boolean;
}

const MAX_LINES = 20_000;
const MAX_DEPTH = 64;
/** A longer list is shown from its start, with a line that says how many follow. */
const MAX_MEMBERS = 2_000;

/**
 * Returns the lines of a value whose branches are open as `isOpen` says. Values that hold themselves
 * and very long ones end in a line of the kind `cut`.
 */
export function jsonLines(root: unknown, isOpen: (path: string, depth: number) => boolean): JsonLine[] {
  const lines: JsonLine[] = [];
  const visit = (value: unknown, path: string, name: string | undefined, depth: number) => {
    if (typeof value !== 'object' || value === null) {
      lines.push({ path, depth, name, kind: 'value', count: 0, value, isOpen: false });
      return;
    }
    const isList = Array.isArray(value);
    const count = isList ? value.length : Object.keys(value).length;
    const open = depth < MAX_DEPTH && count > 0 && lines.length < MAX_LINES && isOpen(path, depth);
    lines.push({ path, depth, name, kind: isList ? 'list' : 'object', count, value, isOpen: open });
    if (!open) return;
    const keys = isList
      ? Array.from({ length: Math.min(count, MAX_MEMBERS) }, (_, index) => String(index))
      : Object.keys(value);
    let shown = 0;
    for (const key of keys.slice(0, MAX_MEMBERS)) {
      if (lines.length >= MAX_LINES) break;
      shown += 1;
      const member: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
      visit(member, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, key, depth + 1);
    }
    if (shown < count) {
      const rest = count - shown;
      lines.push({
        path: `${path}/…`,
        depth: depth + 1,
        name: undefined,
        kind: 'cut',
        count: rest,
        value: undefined,
        isOpen: false,
      });
    }
  };
  visit(root, '', undefined, 0);
  return lines;
}
