/** Strings of which every match contains at least one; undefined: nothing is known. */
type Required = readonly string[] | undefined;

/** Characters that begin an element which is neither a group nor one character as it stands. */
const CLASS_OR_ANCHOR = new Set(['[', '.', '^', '$']);

/**
 * Returns strings of which every match of a POSIX extended regular expression contains one.
 * Undefined when there are none. Reads alternatives, groups and repetitions, and gives up on everything else.
 */
export function requiredStrings(pattern: string): Required {
  const reader = new Reader(pattern);
  const required = reader.alternatives();
  return reader.isAtEnd && !reader.failed ? required : undefined;
}

class Reader {
  readonly #pattern: string;
  #at = 0;
  failed = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  /** Reads up to the end of a group: what is required is one string of each alternative. */
  alternatives(): Required {
    let all: Required = this.#sequence();
    while (!this.failed && this.#pattern[this.#at] === '|') {
      this.#at += 1;
      const next = this.#sequence();
      all = all === undefined || next === undefined ? undefined : [...all, ...next];
    }
    return all;
  }

  #sequence(): Required {
    let best: Required;
    let run = '';
    const consider = (strings: Required) => {
      if (strings !== undefined && shortest(strings) > shortest(best ?? [])) best = strings;
    };
    const endRun = () => {
      if (run !== '') consider([run]);
      run = '';
    };
    while (!this.isAtEnd && !this.failed) {
      const character = this.#pattern[this.#at] as string;
      if (character === '|' || character === ')') break;
      if (character === '(') {
        this.#at += 1;
        const inner = this.alternatives();
        if (this.#pattern[this.#at] !== ')') this.failed = true;
        this.#at += 1;
        endRun();
        if (this.#repetition() !== 'optional') consider(inner);
      } else if (CLASS_OR_ANCHOR.has(character)) {
        if (character === '[') this.#skipClass();
        else this.#at += 1;
        this.#repetition();
        endRun();
      } else {
        const literal = this.#literal();
        const repetition = this.#repetition();
        if (repetition !== 'optional') run += literal;
        if (repetition !== 'once') endRun();
      }
    }
    endRun();
    return best;
  }

  /** Reads one character that stands for itself. */
  #literal(): string {
    if (this.#pattern[this.#at] !== '\\') return this.#pattern[this.#at++] as string;
    const escaped = this.#pattern[this.#at + 1];
    // An escaped letter or digit has a meaning of its own in some libraries.
    if (escaped === undefined || /[0-9A-Za-z<>`']/.test(escaped)) this.failed = true;
    this.#at += 2;
    return escaped ?? '';
  }

  #skipClass(): void {
    // A bracket that comes first stands for itself.
    const rest = /^\[\^?\]?(?:\[:[a-z]+:\]|[^\]])*\]/.exec(this.#pattern.slice(this.#at));
    if (rest === null) this.failed = true;
    this.#at += rest?.[0].length ?? 1;
  }

  #repetition(): 'once' | 'several' | 'optional' {
    const [found] = /^(?:[*+?]|\{\d+(?:,\d*)?\})+/.exec(this.#pattern.slice(this.#at)) ?? [''];
    this.#at += found.length;
    if (found === '') return 'once';
    return /[*?]|\{0/.test(found) ? 'optional' : 'several';
  }
}

/** Returns the length of the shortest string; 0 for none. */
function shortest(strings: readonly string[]): number {
  return strings.length === 0 ? 0 : Math.min(...strings.map((one) => one.length));
}
