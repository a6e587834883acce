/** The stream cipher RC4, which CaRT uses to make files harmless; it keeps no secret. */
export class Rc4 {
  readonly #state = Uint8Array.from({ length: 256 }, (_, index) => index);
  #i = 0;
  #j = 0;

  constructor(key: Uint8Array) {
    const state = this.#state;
    let j = 0;
    for (let i = 0; i < 256; i += 1) {
      const value = state[i] as number;
      j = (j + value + (key[i % key.length] as number)) & 255;
      state[i] = state[j] as number;
      state[j] = value;
    }
  }

  /** Encrypts or decrypts `bytes` in place and returns them. */
  apply(bytes: Uint8Array): Uint8Array {
    const state = this.#state;
    let i = this.#i;
    let j = this.#j;
    for (let at = 0; at < bytes.length; at += 1) {
      i = (i + 1) & 255;
      const value = state[i] as number;
      j = (j + value) & 255;
      const other = state[j] as number;
      state[i] = other;
      state[j] = value;
      bytes[at] = (bytes[at] as number) ^ (state[(value + other) & 255] as number);
    }
    this.#i = i;
    this.#j = j;
    return bytes;
  }
}
