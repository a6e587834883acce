import type { Collection } from '../../datastore/port/collection.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Dispatcher } from '../dispatching/dispatcher.ts';
import type { WatchMessage } from '../dispatching/progress/facts.ts';
import { WatchQueues } from '../dispatching/watch-queues.ts';

export interface LiveServiceDependencies {
  readonly submissions: Pick<Collection<Submission>, 'get'>;
  readonly dispatcher: Pick<Dispatcher, 'watch' | 'outstanding' | 'watchQueues'>;
}

export type LiveMessageType = 'start' | 'stop' | 'cachekey' | 'cachekeyerr' | 'timeout';

/** A message of a watch queue, as clients get it. */
export interface LiveMessage {
  readonly type: LiveMessageType;
  readonly err_msg: string | null;
  readonly status_code: 200 | 408;
  readonly msg: string | null;
}

const TIMEOUT: LiveMessage = {
  type: 'timeout',
  err_msg: 'Timeout waiting for a message.',
  status_code: 408,
  msg: null,
};

/** Follows running submissions (contract/analysis.md section 7.6). */
export class LiveService {
  readonly #dependencies: LiveServiceDependencies;

  constructor(dependencies: LiveServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a watch queue and returns its id.
   * @throws Forbidden `submission_not_accessible`; NotFound `submission_not_running`
   */
  async watch(actor: Actor, sid: string): Promise<string> {
    await this.#assertAccess(actor, sid, '');
    const id = await this.#dependencies.dispatcher.watch(sid);
    if (id !== undefined) return id;
    const message = 'No dispatchers are processing this submission.';
    throw new NotFound('submission_not_running', message, { response: '' });
  }

  /** Returns the number of open files by service. @throws Forbidden `submission_not_accessible` */
  async outstanding(actor: Actor, sid: string): Promise<Readonly<Record<string, number>>> {
    await this.#assertAccess(actor, sid, {});
    return (await this.#dependencies.dispatcher.outstanding(sid)) ?? {};
  }

  /** Takes the next message, `timeout` when there is none. @throws InvalidInput `invalid_watch_queue` */
  async next(id: string): Promise<LiveMessage> {
    const [message] = await this.take(id, { max: 1 });
    return message ?? TIMEOUT;
  }

  /** Takes the messages that are there. @throws InvalidInput `invalid_watch_queue` */
  async take(id: string, options: { max?: number; wait?: number } = {}): Promise<readonly LiveMessage[]> {
    if (!WatchQueues.isId(id)) {
      throw new InvalidInput('invalid_watch_queue', 'invalid watch queue', { response: '' });
    }
    return (await this.#dependencies.dispatcher.watchQueues.take(id, options)).map(liveMessage);
  }

  async #assertAccess(actor: Actor, sid: string, response: unknown): Promise<void> {
    if ((await this.#dependencies.submissions.get(sid, actor.searchAccess)) !== undefined) return;
    const message = 'You are not allowed to access this submissions.';
    throw new Forbidden('submission_not_accessible', message, { response });
  }
}

function liveMessage({ status, cache_key }: WatchMessage): LiveMessage {
  const message = (type: LiveMessageType, msg: string | null): LiveMessage => ({
    type,
    err_msg: null,
    status_code: 200,
    msg,
  });
  switch (status) {
    case 'START':
      return message('start', 'Start listening...');
    case 'STOP':
      return message('stop', 'All messages received, closing queue...');
    case 'OK':
      return message('cachekey', cache_key ?? null);
    case 'FAIL':
      return message('cachekeyerr', cache_key ?? null);
  }
}
