/** A file as text. `truncated`: there is more than is shown. */
export interface FileView {
  readonly content: string;
  readonly truncated: boolean;
}

/** Bytes of a file, and characters of its strings, that are shown. */
export const SHOWN_SIZE = 1 << 20;

/** Returns bytes as ASCII; what cannot be printed and is no line break or tab becomes a dot. */
export function asciiView(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[^\x20-\x7e\t\n\r]/g, '.');
}

/** Returns bytes as pairs of hexadecimal digits. */
export function bytesView(bytes: Buffer): string {
  return bytes.toString('hex').replaceAll(/..(?!$)/g, '$& ');
}

/** Returns bytes in lines of offset, hexadecimal digits and text. */
export function hexView(bytes: Buffer, bytesPerLine: number): string {
  const lines: string[] = [];
  const width = bytesPerLine * 3 - 1;
  for (let offset = 0; offset < bytes.length; offset += bytesPerLine) {
    const line = bytes.subarray(offset, offset + bytesPerLine);
    const text = line.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '.');
    lines.push(`${offset.toString(16).toUpperCase().padStart(8, '0')}:  ${bytesView(line).padEnd(width)}   ${text}`);
  }
  return lines.join('\n');
}

/**
 * Returns the distinct printable strings of at least `length` characters, a line each.
 * Those of ASCII precede those of UTF-16; the last ones are left out when they are too many.
 */
export function stringsView(bytes: Buffer, length: number): FileView {
  const pattern = new RegExp(`[\\x20-\\x7e]{${length},}`, 'g');
  const found = new Set<string>();
  let characters = -1;
  for (const text of [bytes.toString('latin1'), utf16Text(bytes)]) {
    for (const [string] of text.matchAll(pattern)) {
      if (found.has(string)) continue;
      if (characters + string.length >= SHOWN_SIZE) return { content: [...found].join('\n'), truncated: true };
      characters += string.length + 1;
      found.add(string);
    }
  }
  return { content: [...found].join('\n'), truncated: false };
}

/** Little-endian unless a byte order mark says otherwise. */
function utf16Text(bytes: Buffer): string {
  const even = bytes.subarray(0, bytes.length & ~1);
  const isBigEndian = even.length >= 2 && even.readUInt16BE(0) === 0xfeff;
  return (isBigEndian ? Buffer.from(even).swap16() : even).toString('utf16le');
}
