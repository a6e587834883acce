import { isUtf8 } from 'node:buffer';
import { type ListDocument, ListProblem } from '../list-entry.ts';
import { utf8Bytes } from './utf8-bytes.ts';

/** Bytes of one line, at most. */
export const MAX_LINE = 1_048_576;
const LINE_FEED = 10;

/** Lines that follow each other, without their line feeds. */
export interface LineBlock {
  readonly lines: readonly string[];
  /** Number of the first, from 1. */
  readonly first: number;
}

/**
 * Yields lines, many at once. The last line needs no line feed.
 * @throws ListProblem for other encodings, NUL, lines above 1 MB, and content of no bytes
 */
export async function* lineBlocks(document: ListDocument, signal: AbortSignal): AsyncGenerator<LineBlock> {
  let first = 1;
  let isEmpty = true;
  let rest: Buffer[] = [];
  let restLength = 0;
  const blockOf = (block: Buffer): LineBlock => {
    rejectBinary(document.place, block, first);
    const lines = block.toString('utf8').split('\n');
    const at = first;
    first += lines.length;
    return { lines, first: at };
  };
  for await (const chunk of utf8Bytes(document, signal)) {
    isEmpty = false;
    const end = chunk.lastIndexOf(LINE_FEED);
    const next = chunk.subarray(end + 1);
    if (end !== -1) {
      const block = Buffer.concat([...rest, chunk.subarray(0, end)]);
      rejectLongLines(document.place, block, first);
      yield blockOf(block);
      rest = [];
      restLength = 0;
    }
    restLength += next.length;
    if (restLength > MAX_LINE) throw tooLong(document.place, first);
    rest.push(next);
  }
  if (isEmpty) throw new ListProblem(document.place, 'it is empty');
  if (restLength > 0) yield blockOf(Buffer.concat(rest));
}

function rejectLongLines(place: string, block: Buffer, first: number): void {
  if (block.length <= MAX_LINE) return;
  let line = first;
  for (let start = 0; start < block.length; line += 1) {
    const end = block.indexOf(LINE_FEED, start);
    const next = end === -1 ? block.length : end;
    if (next - start > MAX_LINE) throw tooLong(place, line);
    start = next + 1;
  }
}

function tooLong(place: string, line: number): ListProblem {
  return new ListProblem(`${place}, line ${line}`, `it is longer than ${MAX_LINE} bytes`);
}

function rejectBinary(place: string, block: Buffer, first: number): void {
  const nul = block.indexOf(0);
  if (nul !== -1) {
    const at = `${place}, line ${first + count(block.subarray(0, nul))}`;
    throw new ListProblem(at, 'it has a NUL byte, so it is not text. Save UTF-16 with its mark, or as UTF-8');
  }
  if (isUtf8(block)) return;
  let line = first;
  for (let start = 0; start < block.length; line += 1) {
    const end = block.indexOf(LINE_FEED, start);
    const next = end === -1 ? block.length : end;
    if (!isUtf8(block.subarray(start, next))) break;
    start = next + 1;
  }
  throw new ListProblem(`${place}, line ${line}`, 'it is not valid UTF-8');
}

function count(block: Buffer): number {
  let lines = 0;
  for (let at = block.indexOf(LINE_FEED); at !== -1; at = block.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
