import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../errors/errors.ts';
import type { ThreadAnswer } from '../../threads/thread-calls.ts';
import { Libmagic } from './libmagic.ts';

/** Calls of the thread that runs libmagic, away from the event loop that answers requests. */
export type LibmagicCall =
  | { readonly kind: 'detect'; readonly rules: string; readonly head: Uint8Array }
  | { readonly kind: 'check'; readonly rules: string };

let loaded: { readonly rules: string; readonly libmagic: Promise<Libmagic> } | undefined;

parentPort?.on('message', async (call: LibmagicCall & { readonly call: number }) => {
  let answer: ThreadAnswer;
  try {
    answer = { call: call.call, result: await answerTo(call) };
  } catch (error) {
    answer = { call: call.call, problem: messageOf(error) };
  }
  parentPort?.postMessage(answer);
});

async function answerTo(call: LibmagicCall): Promise<unknown> {
  if (call.kind === 'check') return Libmagic.problemOf(call.rules);
  if (loaded?.rules !== call.rules) loaded = { rules: call.rules, libmagic: Libmagic.load(call.rules) };
  return (await loaded.libmagic).detect(call.head);
}
