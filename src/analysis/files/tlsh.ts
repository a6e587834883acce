/** The permutation of Pearson, Fast hashing of variable-length text strings, 1990. */
const PEARSON = Uint8Array.from([
  1, 87, 49, 12, 176, 178, 102, 166, 121, 193, 6, 84, 249, 230, 44, 163, 14, 197, 213, 181, 161, 85, 218, 80, 64, 239,
  24, 226, 236, 142, 38, 200, 110, 177, 104, 103, 141, 253, 255, 50, 77, 101, 81, 18, 45, 96, 31, 222, 25, 107, 190, 70,
  86, 237, 240, 34, 72, 242, 20, 214, 244, 227, 149, 235, 97, 234, 57, 22, 60, 250, 82, 175, 208, 5, 127, 199, 111, 62,
  135, 248, 174, 169, 211, 58, 66, 154, 106, 195, 245, 171, 17, 187, 182, 179, 0, 243, 132, 56, 148, 75, 128, 133, 158,
  100, 130, 126, 91, 13, 153, 246, 216, 219, 119, 68, 223, 78, 83, 88, 201, 99, 122, 11, 92, 32, 136, 114, 52, 10, 138,
  30, 48, 183, 156, 35, 61, 26, 143, 74, 251, 94, 129, 162, 63, 152, 170, 7, 115, 167, 241, 206, 3, 150, 55, 59, 151,
  220, 90, 53, 23, 131, 125, 173, 15, 238, 79, 95, 89, 16, 105, 137, 225, 224, 217, 160, 37, 123, 118, 73, 2, 157, 46,
  116, 9, 145, 134, 228, 207, 212, 202, 215, 69, 229, 27, 188, 67, 124, 168, 252, 42, 4, 29, 108, 21, 247, 19, 205, 39,
  203, 233, 40, 186, 147, 198, 192, 155, 33, 164, 191, 98, 204, 165, 180, 117, 76, 140, 36, 210, 172, 41, 54, 159, 8,
  185, 232, 113, 196, 231, 47, 146, 120, 51, 65, 28, 144, 254, 221, 93, 189, 194, 139, 112, 43, 71, 109, 184, 209,
]);
/** Fewer bytes, or bytes without enough variety, have no hash. */
const MIN_SIZE = 50;
const BUCKETS = 128;
const CODE_BYTES = BUCKETS / 4;

/** Largest size of each length code: a factor of 1.5, from 656 on of 1.3, from 3,171 on of 1.1. */
const SIZE_LIMITS: readonly number[] = [
  1, 2, 3, 5, 7, 11, 17, 25, 38, 57, 86, 129, 194, 291, 437, 656, 854, 1110, 1443, 1876, 2439, 3171, 3475, 3823, 4205,
  4626, 5088, 5597, 6157, 6772, 7450, 8195, 9014, 9916, 10907, 11998, 13198, 14518, 15970, 17567, 19323, 21256, 23382,
  25720, 28292, 31121, 34233, 37656, 41422, 45564, 50121, 55133, 60646, 66711, 73382, 80721, 88793, 97672, 107439,
  118183, 130002, 143002, 157302, 173032, 190335, 209369, 230306, 253337, 278670, 306538, 337191, 370911, 408002,
  448802, 493682, 543050, 597356, 657091, 722800, 795081, 874589, 962048, 1058252, 1164078, 1280486, 1408534, 1549388,
  1704327, 1874759, 2062236, 2268459, 2495305, 2744836, 3019320, 3321252, 3653374, 4018711, 4420582, 4862641, 5348905,
  5883796, 6472176, 7119394, 7831333, 8614467, 9475909, 10423501, 11465851, 12612437, 13873681, 15261050, 16787154,
  18465870, 20312458, 22343706, 24578077, 27035886, 29739474, 32713425, 35984770, 39583245, 43541573, 47895730,
  52685306, 57953837, 63749221, 70124148, 77136564, 84850228, 93335252, 102668779, 112935659, 124229227, 136652151,
  150317384, 165349128, 181884040, 200072456, 220079703, 242087671, 266296456, 292926096, 322218735, 354440623,
  389884688, 428873168, 471760495, 518936559, 570830240, 627913311, 690704607, 759775136, 835752671, 919327967,
  1011260767, 1112386880, 1223623232, 1345985727, 1480584256, 1628642751, 1791507135, 1970657856, 2167723648,
  2384496256, 2622945920, 2885240448, 3173764736, 3491141248, 3840255616, 4224281216,
];

/**
 * Computes TLSH (128 buckets, one byte of checksum, version T1) of a stream.
 * Source: Oliver, Cheng and Chen, TLSH: a locality sensitive hash, 2013.
 */
export class TlshHash {
  readonly #buckets = new Uint32Array(256);
  #checksum = 0;
  #size = 0;
  /** The four bytes before, the last one first. */
  #before1 = 0;
  #before2 = 0;
  #before3 = 0;
  #before4 = 0;

  update(chunk: Uint8Array): void {
    const buckets = this.#buckets;
    let checksum = this.#checksum;
    let b = this.#before1;
    let c = this.#before2;
    let d = this.#before3;
    let e = this.#before4;
    // The first bytes of all complete no window.
    const complete = 4 - this.#size;
    for (let at = 0; at < chunk.length; at += 1) {
      const a = chunk[at] as number;
      if (at >= complete) {
        checksum = mapped(1, a, b, checksum);
        count(buckets, mapped(49, a, b, c));
        count(buckets, mapped(12, a, b, d));
        count(buckets, mapped(178, a, c, d));
        count(buckets, mapped(166, a, c, e));
        count(buckets, mapped(84, a, b, e));
        count(buckets, mapped(230, a, d, e));
      }
      e = d;
      d = c;
      c = b;
      b = a;
    }
    this.#size += chunk.length;
    this.#checksum = checksum;
    this.#before1 = b;
    this.#before2 = c;
    this.#before3 = d;
    this.#before4 = e;
  }

  /** Returns `T1` and 70 digits; undefined when there are too few different bytes. */
  digest(): string | undefined {
    if (this.#size < MIN_SIZE) return undefined;
    const counts = this.#buckets.subarray(0, BUCKETS);
    if (counts.filter((each) => each > 0).length <= BUCKETS / 2) return undefined;
    const [quarter = 0, median = 0, threeQuarters = 0] = [31, 63, 95].map((at) => counts.toSorted()[at] ?? 0);
    const ratio = (part: number): number => Math.trunc(Math.fround(Math.fround(part * 100) / threeQuarters)) % 16;
    const code = Array.from({ length: CODE_BYTES }, (_, index) => {
      const level = (at: number) => {
        const value = counts[4 * index + at] ?? 0;
        return value > threeQuarters ? 3 : value > median ? 2 : value > quarter ? 1 : 0;
      };
      return level(0) | (level(1) << 2) | (level(2) << 4) | (level(3) << 6);
    });
    const head = [this.#checksum, lengthCode(this.#size)].map(swapped);
    const bytes = Uint8Array.from([...head, (ratio(quarter) << 4) | ratio(median), ...code.reverse()]);
    return `T1${Buffer.from(bytes).toString('hex').toUpperCase()}`;
  }
}

function mapped(salt: number, x: number, y: number, z: number): number {
  const first = PEARSON[salt ^ x] as number;
  return PEARSON[(PEARSON[first ^ y] as number) ^ z] as number;
}

function count(buckets: Uint32Array, bucket: number): void {
  buckets[bucket] = (buckets[bucket] as number) + 1;
}

/** Returns the index of the first limit that the size does not exceed. */
function lengthCode(size: number): number {
  const index = SIZE_LIMITS.findIndex((limit) => size <= limit);
  return index === -1 ? SIZE_LIMITS.length : index;
}

function swapped(byte: number): number {
  return ((byte & 0x0f) << 4) | (byte >> 4);
}
