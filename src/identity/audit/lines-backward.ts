/** The part of an open file that is read. */
export interface ReadableFile {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/** A line with the position of its first byte in the file. */
export interface FoundLine {
  readonly start: number;
  readonly text: string;
}

/** Bytes of one read, and of what is parsed without a break. */
export const PIECE = 256 * 1024;
/** Bytes of a line; a longer one, which the program does not write, is passed over. */
const MAX_LINE = 1024 * 1024;
const LINE_FEED = 10;

/**
 * Reads the lines of a file that begin before `end`, the last one first, piece by piece.
 * Each batch holds the lines of one read, which may be none, and where they begin.
 */
export async function* linesBackward(file: ReadableFile, end: number, signal: AbortSignal) {
  let position = end;
  let tail: Buffer = Buffer.alloc(0);
  let isInLongLine = false;
  while (position > 0) {
    signal.throwIfAborted();
    const piece = await readPiece(file, Math.max(0, position - PIECE), position);
    position = Math.max(0, position - PIECE);
    let data = Buffer.concat([piece, tail]);
    if (isInLongLine) {
      // What comes before its beginning is lines again.
      data = data.subarray(0, data.lastIndexOf(LINE_FEED) + 1);
      isInLongLine = data.length === 0;
    }
    const start = position === 0 ? 0 : data.indexOf(LINE_FEED) + 1;
    tail = data.subarray(0, position === 0 ? 0 : start === 0 ? data.length : start);
    if (tail.length > MAX_LINE) {
      tail = Buffer.alloc(0);
      isInLongLine = true;
    }
    const isPartial = start === 0 && position > 0;
    yield { lines: isPartial ? [] : linesOf(data, start, position), start: position + (isPartial ? 0 : start) };
  }
}

/** Returns the first whole line that begins after `from`; undefined: none within one piece. */
export async function lineAfter(file: ReadableFile, from: number, size: number): Promise<FoundLine | undefined> {
  const data = await readPiece(file, from, Math.min(size, from + PIECE));
  const start = data.indexOf(LINE_FEED) + 1;
  const end = data.indexOf(LINE_FEED, start);
  if (start === 0 || end === -1) return undefined;
  return { start: from + start, text: data.toString('utf8', start, end) };
}

async function readPiece(file: ReadableFile, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length);
    // The file was cut meanwhile.
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function linesOf(data: Buffer, from: number, position: number): readonly FoundLine[] {
  const lines: FoundLine[] = [];
  let end = data.length;
  while (end > from) {
    const withoutBreak = data[end - 1] === LINE_FEED ? end - 1 : end;
    const start = withoutBreak === 0 ? 0 : Math.max(from, data.lastIndexOf(LINE_FEED, withoutBreak - 1) + 1);
    if (withoutBreak > start) lines.push({ start: position + start, text: data.toString('utf8', start, withoutBreak) });
    end = start;
  }
  return lines;
}
