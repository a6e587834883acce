import { translate } from '../i18n/translation.ts';
import { Store } from '../state/store.ts';
import { activity } from './activity.ts';
import { openRequests } from './idle.ts';
import { Outage } from './outage.ts';
import { Pauses } from './pauses.ts';
import { ApiProblem, problemOf } from './problem.ts';
import { MAX_TRIES, secondsUntilRetry } from './retry-rules.ts';

/** The state of the line to the server, for the one line of text that the shell shows. */
export type ConnectionState =
  | { readonly kind: 'online' }
  /** No answer comes. Reads wait; the server is asked again at `until` (milliseconds since 1970). */
  | { readonly kind: 'offline'; readonly until: number }
  /**
   * The server asked for pauses, and reads wait.
   * `until` is when the last of them is sent again, `reason` the sentence of the server where it takes longer than one pause.
   */
  | { readonly kind: 'waiting'; readonly until: number; readonly reason: string | undefined };

/** Sends a request once; rejects when no answer comes. */
export type Transport = (request: Request) => Promise<Response>;

export interface ConnectionOptions {
  readonly transport?: Transport;
  /** Milliseconds that a second of a pause takes; for tests. Default 1000. */
  readonly second?: number;
}

type Wait = Omit<Extract<ConnectionState, { kind: 'waiting' }>, 'kind'>;

/** Header of reads that are no use of the session (src/web). */
const BACKGROUND = 'x-background';
/** Header that pages of other origins cannot send (src/web/request-origin.ts). */
const SCRIPT = 'x-requested-with';
/** Address that answers without a session, by which an outage is noticed. */
const PROBE = '/session';
const PROBE_TIMEOUT = 10_000;
/** Statuses of a proxy whose program does not answer, unless the program itself sends them, in JSON. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 503, 504]);
const ONLINE: ConnectionState = { kind: 'online' };

/**
 * The line to the server. Reads are repeated until they have an answer other than a request for a
 * pause; writes are not, because the first one may have arrived, unless they were refused before they began. A 401
 * asks for a sign-in in place and repeats the request once. Reads that no person asked for are marked, so that they do
 * not keep a session from becoming idle.
 */
export class Connection {
  readonly state = new Store<ConnectionState>(ONLINE);
  readonly #transport: Transport;
  readonly #second: number;
  readonly #outage: Outage;
  readonly #pauses = new Pauses();
  /** Requests that the server asked to wait, from then until they have an answer. */
  readonly #waiting = new Map<Request, Wait>();
  #askToSignIn: () => Promise<boolean> = () => Promise.resolve(false);
  #wordsOf: (problem: ApiProblem) => string | undefined = () => undefined;

  constructor({ transport = (request) => fetch(request), second = 1000 }: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#second = second;
    this.#outage = new Outage({ isAnswering: (origin) => this.#isAnswering(origin), firstPause: second });
    this.#outage.nextTry.subscribe(() => this.#update());
  }

  /**
   * Sets the function that asks for a new sign-in when the session has ended. It resolves to true after
   * a sign-in; requests that were refused are then sent once more.
   */
  onSessionEnd(ask: () => Promise<boolean>): void {
    this.#askToSignIn = ask;
  }

  /** Sets the function that says a refusal in words of the reader; undefined: those of the server stay. */
  explainRefusals(wordsOf: (problem: ApiProblem) => string | undefined): void {
    this.#wordsOf = wordsOf;
  }

  /**
   * Sends a request of this origin. @throws ApiProblem for every answer that is not a success and, of
   * writes, for a missing one
   * @param transport sends it where `fetch` cannot, for example to report progress
   */
  send(request: Request, transport: Transport = this.#transport): Promise<Response> {
    return openRequests.during(this.#sendWithRetries(request, transport));
  }

  /** Asks the server now whether it answers, and resolves once it does. */
  async whenAnswering(origin: string): Promise<void> {
    await this.#outage.whenOver(origin);
  }

  /** Asks a server that did not answer again now instead of later. */
  askNow(): void {
    this.#outage.askNow();
  }

  async #sendWithRetries(request: Request, transport: Transport): Promise<Response> {
    const isRead = request.method === 'GET' || request.headers.get('x-read') === 'true';
    let hasAsked = false;
    /** Tries without an answer, though the server answered others. */
    let lost = 0;
    try {
      for (let count = 1; ; count += 1) {
        const answer = await this.#tryOnce(marked(request, isRead), transport);
        if (answer instanceof Response) return answer;
        if (answer.status === 401 && !hasAsked) {
          hasAsked = true;
          if (await this.#askToSignIn()) continue;
        }
        if (answer.status === 0) {
          this.#waiting.delete(request);
          const over = this.#outage.whenOver(new URL(request.url).origin);
          if (!isRead) throw answer;
          lost = (await unlessAborted(over, request.signal)) ? 0 : lost + 1;
          if (lost >= MAX_TRIES) throw answer;
          if (lost > 0) await this.#pauses.wait(this.#second * 2 ** (lost - 1), request.signal);
          continue;
        }
        const seconds = secondsUntilRetry(answer, { isRead, count });
        if (seconds === undefined) throw answer;
        const pause = seconds * this.#second;
        this.#waiting.set(request, { until: Date.now() + pause, reason: count > 1 ? answer.message : undefined });
        this.#update();
        await this.#pauses.wait(pause, request.signal);
      }
    } finally {
      this.#waiting.delete(request);
      this.#update();
    }
  }

  async #tryOnce(request: Request, transport: Transport): Promise<Response | ApiProblem> {
    let response: Response;
    try {
      response = await transport(request);
    } catch (cause) {
      request.signal.throwIfAborted();
      return noAnswer(cause);
    }
    const isGood = response.ok || response.status === 304;
    const body = isGood ? undefined : await response.json().catch(() => undefined);
    request.signal.throwIfAborted();
    if (!isGood && body === undefined && OF_PROXIES.has(response.status)) return noAnswer();
    this.#outage.askNow();
    return isGood ? response : this.#inWords(problemOf(response, body));
  }

  async #isAnswering(origin: string): Promise<boolean> {
    const headers = { [SCRIPT]: 'triad', [BACKGROUND]: '1' };
    const signal = AbortSignal.timeout(PROBE_TIMEOUT);
    try {
      const response = await this.#transport(new Request(origin + PROBE, { headers, signal, cache: 'no-store' }));
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      // An answer that is not read keeps one of the few connections of the browser.
      await response.arrayBuffer();
      return isJson || !OF_PROXIES.has(response.status);
    } catch {
      return false;
    }
  }

  #inWords(problem: ApiProblem): ApiProblem {
    const words = this.#wordsOf(problem);
    return words === undefined ? problem : problem.inOtherWords(words);
  }

  #update(): void {
    const next = this.#presentState();
    const { kind, until, reason } = { until: undefined, reason: undefined, ...next };
    const now = { until: undefined, reason: undefined, ...this.state.read() };
    if (kind !== now.kind || until !== now.until || reason !== now.reason) this.state.set(next);
  }

  #presentState(): ConnectionState {
    const nextTry = this.#outage.nextTry.read();
    if (nextTry !== undefined) return { kind: 'offline', until: nextTry };
    const [last] = [...this.#waiting.values()].sort((left, right) => right.until - left.until);
    return last === undefined ? ONLINE : { kind: 'waiting', ...last };
  }
}

/** Returns a copy with what the server knows pages by; whether a person reads is asked at each try. */
function marked(request: Request, isRead: boolean): Request {
  const copy = request.clone();
  copy.headers.set(SCRIPT, 'triad');
  if (isRead && activity.isAbsent()) copy.headers.set(BACKGROUND, '1');
  return copy;
}

/** Returns the problem of a request without an answer, which may have arrived. */
export function noAnswer(cause?: unknown): ApiProblem {
  return new ApiProblem(translate('connection.noAnswer'), { status: 0, code: 'no_answer', cause });
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export const connection = new Connection();

/** Sends a request of this origin by `connection`; the `fetch` of the clients. */
export function send(request: Request): Promise<Response> {
  return connection.send(request);
}

if (typeof window !== 'undefined') {
  const askNow = () => document.visibilityState === 'visible' && connection.askNow();
  addEventListener('online', askNow);
  // Browsers slow the timers of hidden pages down.
  document.addEventListener('visibilitychange', askNow);
}
