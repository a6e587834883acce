import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../errors/errors.ts';
import type { ThreadAnswer } from '../../threads/thread-calls.ts';
import { FuzzyDigester } from './fuzzy-digests.ts';

/** Calls of the thread that computes fuzzy digests; a file is a number that its caller chose. */
export type DigestCall =
  | { readonly kind: 'begin'; readonly file: number; readonly size: number }
  | { readonly kind: 'update'; readonly file: number; readonly chunk: Uint8Array }
  | { readonly kind: 'end'; readonly file: number };

const digesters = new Map<number, FuzzyDigester>();

parentPort?.on('message', (call: DigestCall & { readonly call: number }) => {
  let answer: ThreadAnswer;
  try {
    answer = { call: call.call, result: answerTo(call) };
  } catch (error) {
    answer = { call: call.call, problem: messageOf(error) };
  }
  parentPort?.postMessage(answer);
});

function answerTo(call: DigestCall): unknown {
  if (call.kind === 'begin') {
    digesters.set(call.file, new FuzzyDigester(call.size));
    return undefined;
  }
  const digester = digesters.get(call.file);
  // The thread was started again in between.
  if (digester === undefined) throw new Error('the beginning of the file is lost');
  if (call.kind === 'update') {
    digester.update(call.chunk);
    return undefined;
  }
  digesters.delete(call.file);
  return digester.digest();
}
