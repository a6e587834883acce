import type { StepBudget } from './query-limits.ts';

/** First and last code point. */
export type CodePointRange = readonly [number, number];

const LAST_CODE_POINT = 0x10ffff;
export const ANY_CODE_POINT: readonly CodePointRange[] = [[0, LAST_CODE_POINT]];
const NONE = -1;

/** A nondeterministic automaton over code points (Thompson's construction), paid for by the budget. */
export class Nfa {
  readonly budget: StepBudget;
  /** For each state the states that follow without a character. */
  readonly #jumps: number[][] = [];
  /** For each state triples of first code point, last code point and next state. */
  readonly #moves: number[][] = [];
  readonly #closures: (readonly number[] | undefined)[] = [];
  readonly #barriers = new Set<number>();

  constructor(budget: StepBudget) {
    this.budget = budget;
  }

  state(): number {
    this.budget.spend(1);
    this.#moves.push([]);
    return this.#jumps.push([]) - 1;
  }

  jump(from: number, to: number): void {
    this.budget.spend(1);
    this.#jumps[from]?.push(to);
  }

  move(from: number, ranges: readonly CodePointRange[], to: number): void {
    this.budget.spend(ranges.length);
    for (const [first, last] of ranges) this.#moves[from]?.push(first, last, to);
  }

  /** Adds a state that follows on one of the code points. */
  next(from: number, ranges: readonly CodePointRange[]): number {
    const next = this.state();
    this.move(from, ranges, next);
    return next;
  }

  /** Adds states for a string. Returns the last one. */
  literal(text: string, from: number): number {
    let end = from;
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      end = this.next(end, [[codePoint, codePoint]]);
    }
    return end;
  }

  /**
   * Adds a state that every character leads back to, for any string.
   * @param isBarrier - every accepted string passes here; once reached, the states that were added before do not matter
   */
  anyString(from: number, isBarrier = false): number {
    const loop = this.state();
    this.jump(from, loop);
    this.move(loop, ANY_CODE_POINT, loop);
    if (isBarrier) this.#barriers.add(loop);
    return loop;
  }

  /** Adds a deterministic automaton between two states. */
  embed(automaton: Dfa, from: number, to: number): void {
    const states = automaton.states.map(() => this.state());
    for (const [at, { starts, targets, isAccepting }] of automaton.states.entries()) {
      const state = states[at] ?? NONE;
      if (isAccepting) this.jump(state, to);
      for (const [segment, first] of starts.entries()) {
        const target = states[targets[segment] ?? NONE];
        const last = (starts[segment + 1] ?? LAST_CODE_POINT + 1) - 1;
        if (target !== undefined) this.move(state, [[first, last]], target);
      }
    }
    this.jump(from, states[0] ?? NONE);
  }

  /** Returns the deterministic automaton of the strings between two states (subset construction). */
  determinize(from: number, to: number): Dfa {
    const numbers = new Map<string, number>();
    const sets: (readonly number[])[] = [];
    const numberOf = (set: readonly number[]): number => {
      if (set.length === 0) return NONE;
      const key = set.join();
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, sets.length);
      return sets.push(set) - 1;
    };
    numberOf(this.#unionOf([from], to));
    const states: DfaState[] = [];
    for (let at = 0; at < sets.length; at += 1) {
      const set = sets[at] ?? [];
      const segments = this.#segments(set);
      const targets = segments.map(([, following]) => numberOf(this.#unionOf(following, to)));
      states.push({ starts: segments.map(([start]) => start), targets, isAccepting: set.includes(to) });
    }
    return new Dfa(states.length > 0 ? states : [DEAD_STATE]);
  }

  /** The code points cut into segments with the same next states, in order, from 0 to the last one. */
  #segments(set: readonly number[]): readonly (readonly [number, readonly number[]])[] {
    const changes = new Map<number, { readonly added: number[]; readonly removed: number[] }>([
      [0, { added: [], removed: [] }],
    ]);
    const changeAt = (point: number) => {
      const known = changes.get(point) ?? { added: [], removed: [] };
      changes.set(point, known);
      return known;
    };
    for (const state of set) {
      const moves = this.#moves[state] ?? [];
      this.budget.spend(moves.length / 3);
      for (let at = 0; at < moves.length; at += 3) {
        const [first = 0, last = 0, target = NONE] = moves.slice(at, at + 3);
        changeAt(first).added.push(target);
        if (last < LAST_CODE_POINT) changeAt(last + 1).removed.push(target);
      }
    }
    const counts = new Map<number, number>();
    return [...changes]
      .sort(([a], [b]) => a - b)
      .map(([point, { added, removed }]) => {
        for (const target of added) counts.set(target, (counts.get(target) ?? 0) + 1);
        for (const target of removed) {
          const count = (counts.get(target) ?? 0) - 1;
          if (count > 0) counts.set(target, count);
          else counts.delete(target);
        }
        this.budget.spend(1 + counts.size);
        return [point, [...counts.keys()]] as const;
      });
  }

  /** Returns the closures of states in order; one that accepts every string stands for the rest. */
  #unionOf(states: readonly number[], to: number): readonly number[] {
    const union = new Set<number>();
    for (const state of states) {
      const closure = this.#closureOf(state, to);
      this.budget.spend(closure.length);
      const universal = closure.find((member) => this.#isLoop(member) && this.#closureOf(member, to).includes(to));
      if (universal !== undefined) return this.#closureOf(universal, to);
      for (const member of closure) union.add(member);
    }
    const sorted = [...union].sort((a, b) => a - b);
    const barrier = sorted.findLastIndex((member) => this.#barriers.has(member));
    return barrier > 0 ? sorted.slice(barrier) : sorted;
  }

  #isLoop(state: number): boolean {
    const [first, last, target] = this.#moves[state] ?? [];
    return first === 0 && last === LAST_CODE_POINT && target === state;
  }

  /** The states reached without a character that have moves, and `to`. */
  #closureOf(state: number, to: number): readonly number[] {
    const known = this.#closures[state];
    if (known) return known;
    const seen = new Set([state]);
    for (const member of seen) {
      this.budget.spend(1);
      for (const next of this.#jumps[member] ?? []) seen.add(next);
    }
    const closure = [...seen].filter((member) => member === to || (this.#moves[member]?.length ?? 0) > 0);
    this.#closures[state] = closure;
    return closure;
  }
}

interface DfaState {
  /** First code points of segments, ascending from 0; a segment ends where the next one starts. */
  readonly starts: readonly number[];
  /** The next state for each segment; -1: no string is accepted from there. */
  readonly targets: readonly number[];
  readonly isAccepting: boolean;
}

const DEAD_STATE: DfaState = { starts: [0], targets: [NONE], isAccepting: false };

export class Dfa {
  /** The first one is the start. */
  readonly states: readonly DfaState[];

  constructor(states: readonly DfaState[]) {
    this.states = states;
  }

  /** Returns whether the whole value is accepted, in linear time. */
  accepts(value: string): boolean {
    let state = 0;
    for (let at = 0; at < value.length; at += 1) {
      const codePoint = value.codePointAt(at) ?? 0;
      if (codePoint > 0xffff) at += 1;
      const { starts, targets } = this.states[state] ?? DEAD_STATE;
      state = targets[segmentOf(starts, codePoint)] ?? NONE;
      if (state === NONE) return false;
    }
    return this.states[state]?.isAccepting ?? false;
  }

  complement(): Dfa {
    const sink = this.states.length;
    const states = this.states.map(({ starts, targets, isAccepting }) => ({
      starts,
      targets: targets.map((target) => (target === NONE ? sink : target)),
      isAccepting: !isAccepting,
    }));
    return new Dfa([...states, { starts: [0], targets: [sink], isAccepting: true }]);
  }
}

/** Index of the last start that is not above the code point. */
function segmentOf(starts: readonly number[], codePoint: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return low;
}
