/** The bytes of a file, read where a parser needs them. */
export interface ByteSource {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Returns the bytes from `offset` on; fewer than `length` only at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Returns a source over bytes in memory. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: buffer.length, read: async (offset, length) => buffer.subarray(offset, offset + length) };
}
