import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from './command.ts';

/** No further answer is wanted or will come; the message says why. */
export class DialogueEnded extends Error {}

/** Questions to a person at standard input, one line each. All methods throw `DialogueEnded`. */
export class OperatorDialogue {
  readonly #context: CommandContext;
  readonly #lines: Interface;
  readonly #stopped: AbortSignal;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#lines = createInterface({ input: context.input, terminal: false });
    const closed = new AbortController();
    this.#lines.once('close', () => closed.abort());
    this.#stopped = AbortSignal.any([context.ending, closed.signal]);
  }

  /** Returns the answer, trimmed; `q` ends the dialogue. Lines typed before the question are ignored. */
  async ask(question: string): Promise<string> {
    this.#context.printError(question);
    const [line] = await once(this.#lines, 'line', { signal: this.#stopped }).catch(() => {
      throw new DialogueEnded(this.#context.ending.aborted ? 'Interrupted.' : 'The input ended.');
    });
    const answer = String(line).trim();
    if (answer.toLowerCase() === 'q') throw new DialogueEnded('You left.');
    return answer;
  }

  /** Any answer but yes ends the dialogue. */
  async confirm(question: string): Promise<void> {
    const answer = await this.ask(`${question} [yes/NO, q leaves]`);
    if (!/^y(?:es)?$/i.test(answer)) throw new DialogueEnded(`"${answer}" is not yes.`);
  }

  /** Gives a person so many seconds to think again. */
  async countDown(seconds: number): Promise<void> {
    const { ending, errorStream, printError } = this.#context;
    for (let left = seconds; left > 0 && !ending.aborted; left -= 1) {
      if (errorStream.isTTY) errorStream.write(`\rContinuing in ${left} s. Ctrl-C stops. `);
      await sleep(1000, undefined, { signal: ending }).catch(() => undefined);
    }
    if (errorStream.isTTY) printError('');
    if (ending.aborted) throw new DialogueEnded('Interrupted.');
  }

  close(): void {
    this.#lines.close();
  }
}
