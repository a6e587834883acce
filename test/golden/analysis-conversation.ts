import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type CookieJar,
  judge,
  steps as pathSteps,
  pick,
  type RecordedStep,
  type ReplayedAnswer,
  type ReplayValues,
  send,
} from './replay-analysis.mjs';

export interface ConversationOutcome {
  /** `auth-whoami.json#2` */
  readonly passed: readonly string[];
  /** By step, what differs. */
  readonly mismatches: ReadonlyMap<string, string>;
}

/** A run of ten letters, and what the setup has made. */
export function newRun(): ReplayValues {
  return { run: Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26))).join('') };
}

/**
 * Replays one recorded conversation.
 * Placeholders that it binds are added to `values` when `keep` is set, as the setup wants it.
 */
export async function replayConversation(
  base: string,
  file: string,
  values: ReplayValues,
  options: { readonly keep?: boolean } = {},
): Promise<ConversationOutcome> {
  const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: readonly RecordedStep[] };
  const own = { ...values };
  const jar: CookieJar = {};
  const passed: string[] = [];
  const mismatches = new Map<string, string>();
  for (const [index, step] of steps.entries()) {
    const name = `${basename(file)}#${index + 1}`;
    const { method, path } = step.request;
    const difference = await replayStep(base, step, own, jar);
    if (difference === undefined) passed.push(name);
    else mismatches.set(name, `${method} ${path}: ${difference}`);
  }
  if (options.keep === true) Object.assign(values, own);
  return { passed, mismatches };
}

const PAUSE = 400;
const USUAL_TRIES = 20;

async function replayStep(
  base: string,
  step: RecordedStep,
  values: ReplayValues,
  jar: CookieJar,
): Promise<string | undefined> {
  const tries = step.eventually === undefined ? 0 : Number(step.eventually === true ? USUAL_TRIES : step.eventually);
  for (let tried = 0; ; tried += 1) {
    const bound = { ...values };
    const answer = await send(base, step.request, bound, jar, step.decode);
    capture(step, answer, bound);
    const difference = step.check === false ? null : judge(step, answer, bound);
    if (difference === null || tried >= tries) {
      Object.assign(values, bound);
      return difference ?? undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

function capture(step: RecordedStep, answer: ReplayedAnswer, values: ReplayValues): void {
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    const header = path.startsWith('$headers.') ? path.slice('$headers.'.length) : undefined;
    const value = header === undefined ? pick(answer.body, pathSteps(path)) : answer.headers[header];
    if (value !== undefined) values[name] = value;
  }
}
