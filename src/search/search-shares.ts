import { TooManyRequests, Unavailable } from '../errors/errors.ts';

/** Ends a request with every search that it started. */
export interface SearchDeadline {
  /** Milliseconds that one search may take. */
  readonly timeout: number;
  /** Aborts at the end of the request's time. */
  readonly signal: AbortSignal;
}

/** Running search requests of one user. They take a third of the threads of the process (start.mjs). */
export const MAX_RUNNING_SEARCHES = 4;
/** Waiting search requests of one user. */
export const MAX_WAITING_SEARCHES = 200;
/** The engine ends a search by itself; only one that it cannot interrupt is left behind. Milliseconds. */
const GRACE = 500;

interface SearchesOfUser {
  running: number;
  readonly waiting: (() => void)[];
}

/** Gives each user a share of the engine, so that costly searches of one leave it to the others. */
export class SearchShares {
  readonly #users = new Map<string, SearchesOfUser>();

  /**
   * Runs searches of a request when those of the same user leave room, within `timeout` milliseconds.
   * The share is released when the engine has ended them, which may be after the answer.
   * @throws TooManyRequests `too_many_searches`; Unavailable `search_timeout`
   */
  async run<T>(user: string, timeout: number, work: (deadline: SearchDeadline) => Promise<T>): Promise<T> {
    const end = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      end.abort();
      setTimeout(() => late.reject(searchTimeout(timeout)), GRACE).unref();
    }, timeout);
    try {
      const deadline = { timeout, signal: end.signal };
      return await Promise.race([this.#inShare(user, deadline, work), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #inShare<T>(
    user: string,
    deadline: SearchDeadline,
    work: (deadline: SearchDeadline) => Promise<T>,
  ): Promise<T> {
    const searches = this.#users.get(user) ?? { running: 0, waiting: [] };
    this.#users.set(user, searches);
    if (searches.waiting.length >= MAX_WAITING_SEARCHES) {
      const message = `${MAX_WAITING_SEARCHES} searches of this user wait for others to end, which is the limit. Try again in a moment.`;
      throw new TooManyRequests('too_many_searches', message, { retryAfter: 1 });
    }
    if (searches.running < MAX_RUNNING_SEARCHES) searches.running += 1;
    else await new Promise<void>((resume) => searches.waiting.push(resume));
    try {
      if (deadline.signal.aborted) throw searchTimeout(deadline.timeout);
      return await work(deadline);
    } finally {
      const next = searches.waiting.shift();
      if (next) next();
      else searches.running -= 1;
      if (searches.running === 0) this.#users.delete(user);
    }
  }
}

function searchTimeout(timeout: number): Unavailable {
  const message = `The search was given up after ${timeout / 1000} s. Narrow it, or allow more time.`;
  return new Unavailable('search_timeout', message);
}
