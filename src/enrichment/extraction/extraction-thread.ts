import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../errors/errors.ts';
import type { ThreadAnswer } from '../../threads/thread-calls.ts';
import { extractSelectors } from './extract-selectors.ts';

/** Call of the thread that reads long texts, away from the event loop that answers requests. */
export interface ExtractionCall {
  readonly text: string;
}

parentPort?.on('message', ({ call, text }: ExtractionCall & { readonly call: number }) => {
  let answer: ThreadAnswer;
  try {
    answer = { call, result: extractSelectors(text) };
  } catch (error) {
    answer = { call, problem: messageOf(error) };
  }
  parentPort?.postMessage(answer);
});
