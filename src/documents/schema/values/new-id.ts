import { randomFillSync } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 digits of 62 are 131 bits. */
const LENGTH = 22;
/** Largest multiple of 62 below 256: bytes from here on would make some digits likelier. */
const FAIR = 248;

/** Random bytes in stock: asking for a few at a time costs more than all the rest. */
const stock = new Uint8Array(4096);
let used = stock.length;

/** A new identifier: 22 random letters and digits. */
export function newId(): string {
  let id = '';
  while (id.length < LENGTH) {
    if (used === stock.length) {
      randomFillSync(stock);
      used = 0;
    }
    const byte = stock[used] as number;
    used += 1;
    if (byte < FAIR) id += DIGITS.charAt(byte % DIGITS.length);
  }
  return id;
}
