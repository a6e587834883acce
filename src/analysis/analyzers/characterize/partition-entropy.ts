import { open } from 'node:fs/promises';

const PARTITIONS = 50;
const CHUNK = 1 << 20;

export interface FileEntropy {
  /** Bits a byte, 0 to 8. */
  readonly whole: number;
  /** Entropy of 50 parts of equal size; 0 for parts behind the end of a small file. */
  readonly partitions: readonly number[];
}

/** Computes the Shannon entropy of a file and of its parts, in bounded memory. */
export async function partitionEntropy(path: string): Promise<FileEntropy> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const partitionSize = Math.max(1, Math.ceil(size / PARTITIONS));
  const whole = new Float64Array(256);
  const parts = Array.from({ length: PARTITIONS }, () => 0);
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, partitionSize)));
  for (let part = 0, position = 0; position < size; part += 1) {
    const counts = new Uint32Array(256);
    const end = Math.min(size, position + partitionSize);
    const begin = position;
    while (position < end) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - position), position);
      if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
      // biome-ignore lint/style/noNonNullAssertion: a byte is an index of the table
      for (let index = 0; index < bytesRead; index += 1) counts[buffer[index]!]! += 1;
      position += bytesRead;
    }
    for (let byte = 0; byte < 256; byte += 1) whole[byte] = (whole[byte] ?? 0) + (counts[byte] ?? 0);
    parts[part] = entropyOf(counts, end - begin);
  }
  return { whole: entropyOf(whole, size), partitions: parts };
}

function entropyOf(counts: Uint32Array | Float64Array, total: number): number {
  let entropy = 0;
  for (const count of counts) {
    if (count === 0) continue;
    const probability = count / total;
    entropy -= probability * Math.log2(probability);
  }
  // Without the sign of -0.
  return Math.max(0, entropy);
}
