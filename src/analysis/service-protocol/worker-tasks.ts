import type { Tokens } from '../../coordination/coordination.ts';
import { unlessUnavailable, untilAvailable } from '../../coordination/while-available.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput, isUnavailable, NotFound } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { Task, TaskOutcome, TaskPoll, TaskReceipt } from '../dispatching/task.ts';
import type { FinishReply, ResultIntake } from '../results/result-intake.ts';
import { receiptOf } from '../results/result-summary.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { claimedTask } from './claimed-task.ts';
import type { ProtocolWorker } from './protocol-worker.ts';

export interface WorkerTasksDependencies {
  readonly registry: Pick<ServiceRegistry, 'get'>;
  readonly dispatcher: {
    nextTask(poll: TaskPoll): Promise<Task | undefined>;
    finish(task: TaskReceipt, outcome: TaskOutcome): Promise<'accepted' | 'ignored'>;
    wants(task: TaskReceipt): Promise<boolean>;
    release(task: TaskReceipt): Promise<void>;
  };
  readonly intake: Pick<ResultIntake, 'finish' | 'fail' | 'cached' | 'check'>;
  readonly tokens: Pick<Tokens, 'put' | 'get' | 'remove'>;
  readonly count: (labels: { readonly service: string; readonly outcome: string }) => void;
  readonly log: Log;
}

/** Milliseconds that a task is remembered beyond the time limit of its service, for uploads. */
const GRACE = 3_600_000;
/** Milliseconds that a result waits until its task can be looked up. */
const PATIENCE = 60_000;
/** Milliseconds that a claimed task waits until it can be handed out. */
const CLAIM_PATIENCE = 20_000;
/** Milliseconds between polls while the datastore or coordination does not answer. */
const PAUSE = 1000;

/** Hands tasks to the workers of services, and takes what they bring back. */
export class WorkerTasks {
  readonly #dependencies: WorkerTasksDependencies;

  constructor(dependencies: WorkerTasksDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Waits for a task without a stored result; undefined when none comes in time.
   * @param wait milliseconds
   * @throws NotFound `unknown_service`
   */
  async next(worker: ProtocolWorker, wait: number, signal: AbortSignal): Promise<Task | undefined> {
    const deadline = Date.now() + wait;
    for (let left = wait; ; left = deadline - Date.now()) {
      try {
        const task = await this.#poll(worker, left, signal);
        if (task !== 'answered') return task;
      } catch (error) {
        // Workers of the public system end with any status but 200, and are not started again by us.
        if (!isUnavailable(error)) throw error;
        this.#dependencies.log.warn(
          { service: worker.service, error: error.message },
          'no tasks can be handed out now',
        );
        await pause(Math.min(PAUSE, Math.max(0, deadline - Date.now())), signal);
      }
      if (signal.aborted || Date.now() >= deadline) return undefined;
    }
  }

  /**
   * Takes a result or an error (contract/analysis.md section 8.5).
   * What comes for a task that was replaced is checked, and answered as a success.
   * @throws InvalidInput `result_missing`, `invalid_task`, `foreign_result`; and as `ResultIntake.finish`, `fail`
   */
  async finish(worker: ProtocolWorker, body: unknown): Promise<FinishReply> {
    if (!isObject(body)) throw new InvalidInput('invalid_task', 'The body must be an object with a task.');
    const { result, error, freshen, errors, warnings } = body;
    if (result === undefined && error === undefined) {
      throw new InvalidInput('result_missing', 'No result or error provided by service.');
    }
    if (freshen !== undefined && typeof freshen !== 'boolean') {
      throw new InvalidInput('invalid_task', 'The member freshen must be true or false.', { at: 'freshen' });
    }
    const claimed = claimedTask(body.task);
    if (claimed.service_name !== worker.service) {
      const message = `The task is for the service ${claimed.service_name}, not for ${worker.service}.`;
      throw new InvalidInput('foreign_result', message, { at: 'task.service_name' });
    }
    const { intake } = this.#dependencies;
    // Any answer but a success or a list of missing files makes workers of the public system drop their result.
    const task = await untilAvailable(() => this.#handedOut(claimed), { longest: PATIENCE });
    if (task === undefined) {
      await intake.check(claimed, result === undefined ? { error } : { result });
      this.#count(worker, 'ignored');
      return { success: true };
    }
    if (result === undefined) {
      await intake.fail(task, error);
      this.#count(worker, 'failed');
    } else {
      const reply = await intake.finish(task, result, { freshen: freshen ?? true, errors, warnings });
      if (!reply.success) return reply;
      this.#count(worker, 'finished');
    }
    await unlessUnavailable(this.#dependencies.tokens.remove(tokenOf(task)), undefined);
    return { success: true };
  }

  async #poll(worker: ProtocolWorker, wait: number, signal: AbortSignal): Promise<Task | undefined | 'answered'> {
    const { registry, dispatcher, intake } = this.#dependencies;
    const { service: name, version, toolVersion } = worker;
    const service = await registry.get(name);
    if (service === undefined) throw missingService();
    const task = await dispatcher.nextTask({ service: name, version, worker: worker.container, wait, signal });
    if (task === undefined) return undefined;
    const claim = { longest: CLAIM_PATIENCE, signal };
    try {
      const user = { version, toolVersion, disable_cache: service.disable_cache };
      const cached = await untilAvailable(() => intake.cached(task, user), claim);
      if (cached !== undefined) {
        await untilAvailable(() => dispatcher.finish(receiptOf(task), cached), claim);
        this.#count(worker, 'cached');
        return 'answered';
      }
      const lifetime = service.timeout * 1000 + GRACE;
      await untilAvailable(() => this.#dependencies.tokens.put(tokenOf(task), task, lifetime), claim);
    } catch (error) {
      // No worker has it: otherwise it would wait for its deadline.
      await unlessUnavailable(dispatcher.release(receiptOf(task)), undefined);
      throw error;
    }
    if (signal.aborted) {
      await dispatcher.release(receiptOf(task));
      return undefined;
    }
    this.#count(worker, 'handed_out');
    return task;
  }

  /** Returns the task as it was handed out; undefined when its outcome is not wanted any more. */
  async #handedOut(claimed: Task): Promise<Task | undefined> {
    const { tokens, dispatcher } = this.#dependencies;
    const task = (await tokens.get(tokenOf(claimed))) as Task | undefined;
    if (task === undefined || task.sid !== claimed.sid || task.service_name !== claimed.service_name) return undefined;
    return (await dispatcher.wants(receiptOf(task))) ? task : undefined;
  }

  #count({ service }: ProtocolWorker, outcome: string): void {
    this.#dependencies.count({ service, outcome });
  }
}

function tokenOf({ task_id: id }: Pick<Task, 'task_id'>): string {
  return `service-task:${id}`;
}

function missingService(): NotFound {
  return new NotFound('unknown_service', "The service you're asking task for does not exist, try later", {
    response: {},
  });
}

function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, time);
    signal.addEventListener('abort', end, { once: true });
  });
}
