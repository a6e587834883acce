import { createInterface, type Interface } from 'node:readline';
import type { CommandContext } from './command.ts';

/** The reason why no further answer will come. */
export type Silence = 'quit' | 'interrupted' | 'ended';

/** Questions to a person, one line each; the answers come from standard input. */
export class OperatorDialogue {
  readonly #context: CommandContext;
  readonly #lines: Interface;
  readonly #given: string[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#lines = createInterface({ input: context.input, terminal: false });
    this.#lines.on('line', (line) => {
      this.#given.push(line);
      this.#wake?.();
    });
    this.#lines.on('close', () => {
      this.#isEnded = true;
      this.#wake?.();
    });
    context.ending.addEventListener('abort', this.#interrupt, { once: true });
  }

  /**
   * The answer, trimmed; or why there is none:
   * `q`, Ctrl-C, or the end of the input. What was typed before the question was there answers nothing.
   */
  async ask(question: string): Promise<{ readonly answer: string } | { readonly silence: Silence }> {
    this.#given.length = 0;
    this.#context.printError(question);
    const line = await this.#next();
    if (line === undefined) return { silence: this.#context.ending.aborted ? 'interrupted' : 'ended' };
    const answer = line.trim();
    return answer.toLowerCase() === 'q' ? { silence: 'quit' } : { answer };
  }

  /** Gives a person so many seconds to think again. */
  async countDown(seconds: number): Promise<{ readonly silence: Silence } | undefined> {
    const { ending, errorStream, printError } = this.#context;
    for (let left = seconds; left > 0; left -= 1) {
      if (ending.aborted) break;
      if (errorStream.isTTY) errorStream.write(`\rContinuing in ${left} s. Ctrl-C stops. `);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        ending.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
      });
    }
    if (errorStream.isTTY) printError('');
    return ending.aborted ? { silence: 'interrupted' } : undefined;
  }

  close(): void {
    this.#context.ending.removeEventListener('abort', this.#interrupt);
    this.#lines.close();
  }

  readonly #interrupt = (): void => this.#wake?.();

  async #next(): Promise<string | undefined> {
    while (this.#given.length === 0 && !this.#isEnded && !this.#context.ending.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#context.ending.aborted ? undefined : this.#given.shift();
  }
}
