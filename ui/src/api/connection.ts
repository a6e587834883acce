import { activity } from './activity.ts';
import { ApiProblem, problemOf } from './problem.ts';
import { openRequests } from './quiet.ts';

/** The state of the line to the server, for the one line of text that the shell shows. */
export type ConnectionState =
  | { readonly kind: 'online' }
  | { readonly kind: 'offline' }
  /**
   * The server asked for pauses, and reads wait; `until`, in milliseconds since 1970, is when the last
   * of them is sent again.
   */
  | { readonly kind: 'waiting'; readonly until: number };

type Listener = () => void;

/** Header of reads that are no use of the session (src/web). */
const BACKGROUND = 'x-background';
const MAX_TRIES = 5;
const MAX_PAUSE_SECONDS = 60;

/** Reads that the server asked to wait, from then until they have an answer, with their next try. */
const waiting = new Map<Request, number>();
let isAnswering = true;
let state: ConnectionState = { kind: 'online' };
const listeners = new Set<Listener>();
let askToSignIn: () => Promise<boolean> = () => Promise.resolve(false);

/** Returns the present state; the same object until it changes. */
export function connectionState(): ConnectionState {
  return state;
}

export function subscribeToConnection(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Sets the function that asks for a new sign-in when the session has ended. It resolves to true after
 * a sign-in; requests that were refused are then sent once more.
 */
export function onSessionEnd(ask: () => Promise<boolean>): void {
  askToSignIn = ask;
}

function update(): void {
  const next = presentState();
  const isSame = next.kind === state.kind && (next.kind !== 'waiting' || until(next) === until(state));
  if (isSame) return;
  state = next;
  for (const listener of listeners) listener();
}

function presentState(): ConnectionState {
  if (!isAnswering) return { kind: 'offline' };
  if (waiting.size === 0) return { kind: 'online' };
  return { kind: 'waiting', until: Math.max(...waiting.values()) };
}

function until(of: ConnectionState): number | undefined {
  return of.kind === 'waiting' ? of.until : undefined;
}

/**
 * Sends a request of this origin. Reads are repeated while the server asks for a pause or does not
 * answer; writes are not, because the first one may have arrived. A 401 asks for a sign-in in place
 * and repeats the request once. Reads that no person asked for are marked, so that they do not keep a
 * session from becoming idle.
 * @throws ApiProblem for every answer that is not a success and for a missing one
 */
export function send(request: Request): Promise<Response> {
  return openRequests.during(sendAndRepeat(request));
}

async function sendAndRepeat(request: Request): Promise<Response> {
  try {
    return await sendPatiently(request);
  } finally {
    waiting.delete(request);
    update();
  }
}

async function sendPatiently(request: Request): Promise<Response> {
  const isRead = request.method === 'GET' || request.headers.get('x-read') === 'true';
  if (isRead && activity.isAbsent()) request.headers.set(BACKGROUND, '1');
  let hasAsked = false;
  for (let attempt = 1; ; attempt += 1) {
    const problem = await tryOnce(request.clone());
    if (problem instanceof Response) return problem;
    if (problem.status === 401 && !hasAsked) {
      hasAsked = true;
      if (await askToSignIn()) continue;
    }
    const isLast = attempt >= MAX_TRIES || !isRead || !problem.isTransient;
    if (isLast) throw problem;
    await pauseBeforeRetry(request, problem, attempt);
  }
}

async function tryOnce(request: Request): Promise<Response | ApiProblem> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    isAnswering = false;
    update();
    return new ApiProblem('The server does not answer.', { status: 0, code: 'no_answer', cause });
  }
  isAnswering = true;
  update();
  if (response.ok || response.status === 304) return response;
  return problemOf(response, await response.json().catch(() => undefined));
}

function pauseBeforeRetry(request: Request, problem: ApiProblem, attempt: number): Promise<void> {
  const { signal } = request;
  const seconds = Math.min(problem.retryAfter ?? 2 ** (attempt - 1), MAX_PAUSE_SECONDS);
  if (problem.status === 0) waiting.delete(request);
  else waiting.set(request, Date.now() + seconds * 1000);
  update();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
