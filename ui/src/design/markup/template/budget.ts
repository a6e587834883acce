/** Limits of one evaluation. An overview that reaches one is cut there and says so. */
export interface TemplateLimits {
  readonly maxTemplate: number;
  /** `{{` and `(`: the time of the parser grows with the square of their number. */
  readonly maxTags: number;
  /** Characters inside of all `{{ }}`. */
  readonly maxTagText: number;
  readonly maxSteps: number;
  readonly maxDepth: number;
  readonly maxOutput: number;
  /** Values and widgets of the output. */
  readonly maxPieces: number;
  /** Requests of the `fetch` helper. */
  readonly maxRequests: number;
  readonly maxMilliseconds: number;
}

export const TEMPLATE_LIMITS: TemplateLimits = {
  maxTemplate: 50_000,
  maxTags: 1_000,
  maxTagText: 20_000,
  maxSteps: 50_000,
  maxDepth: 40,
  maxOutput: 500_000,
  maxPieces: 5_000,
  maxRequests: 16,
  maxMilliseconds: 250,
};

export type LimitName = 'steps' | 'depth' | 'output' | 'pieces' | 'time' | 'template';

/** Ends an evaluation; what was written until then stays. */
export class LimitReached extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(limit);
    this.limit = limit;
  }
}

/** The clock is asked once in so many steps. */
const STEPS_PER_LOOK = 64;

/** Counts what an evaluation uses, and ends it at a limit. */
export class Budget {
  readonly limits: TemplateLimits;
  readonly #end: number;
  #steps = 0;
  #depth = 0;
  #output = 0;

  constructor(limits: TemplateLimits) {
    this.limits = limits;
    this.#end = performance.now() + limits.maxMilliseconds;
  }

  step(count = 1): void {
    const before = this.#steps;
    this.#steps += count;
    if (this.#steps > this.limits.maxSteps) throw new LimitReached('steps');
    const isLook = Math.floor(before / STEPS_PER_LOOK) !== Math.floor(this.#steps / STEPS_PER_LOOK);
    if (isLook) this.look();
  }

  /** Asks the clock. */
  look(): void {
    if (performance.now() > this.#end) throw new LimitReached('time');
  }

  output(length: number): void {
    this.#output += length;
    if (this.#output > this.limits.maxOutput) throw new LimitReached('output');
  }

  within<Result>(work: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > this.limits.maxDepth) throw new LimitReached('depth');
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}
