import { plainString } from '../../../json/members.ts';

export interface DifferencePart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Longer values are compared by their common start and end alone. */
const MAX_COMPARED_WORDS = 600;

/**
 * Returns how a value became another one: lists by their elements, strings by their words, everything
 * else as a whole. `undefined`, null and empty values count as nothing.
 */
export function difference(before: unknown, after: unknown): readonly DifferencePart[] {
  if (Array.isArray(before) || Array.isArray(after)) return listDifference(elementsOf(before), elementsOf(after));
  const [left, right] = [plainString(before), plainString(after)];
  if (left === right) return left === '' ? [] : [{ kind: 'same', text: left }];
  if (left === '' || right === '' || !/\s/.test(left + right)) return wholes(left, right);
  return wordDifference(left, right);
}

function elementsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(plainString);
  const text = plainString(value);
  return text === '' ? [] : [text];
}

/**
 * Lists of a record are sets to their readers: the order is that of the new list, removed elements
 * follow.
 */
function listDifference(before: readonly string[], after: readonly string[]): DifferencePart[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...[...now].map((text): DifferencePart => ({ kind: old.has(text) ? 'same' : 'added', text })),
    ...[...old].filter((text) => !now.has(text)).map((text): DifferencePart => ({ kind: 'removed', text })),
  ];
}

function wordDifference(left: string, right: string): DifferencePart[] {
  const [old, now] = [left.split(/(?<=\s)(?=\S)/), right.split(/(?<=\s)(?=\S)/)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = changed(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return merged([
    { kind: 'same', text: now.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: end === 0 ? '' : now.slice(-end).join('') },
  ]);
}

/** The longest common subsequence, by a table of lengths. */
function changed(old: readonly string[], now: readonly string[]): DifferencePart[] {
  if (old.length > MAX_COMPARED_WORDS || now.length > MAX_COMPARED_WORDS) return wholes(old.join(''), now.join(''));
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: DifferencePart[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]];
    if (left !== undefined && left === right) {
      parts.push({ kind: 'same', text: left });
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      parts.push({ kind: 'removed', text: left });
      row += 1;
    } else if (right !== undefined) {
      parts.push({ kind: 'added', text: right });
      column += 1;
    }
  }
  return parts;
}

function wholes(left: string, right: string): DifferencePart[] {
  return merged([
    { kind: 'removed', text: left },
    { kind: 'added', text: right },
  ]);
}

function merged(parts: readonly DifferencePart[]): DifferencePart[] {
  const result: DifferencePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.text === '') continue;
    if (last?.kind === part.kind) result[result.length - 1] = { kind: last.kind, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
