import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../../coordination/coordination.ts';
import { NO_OWNER, OWNERS, type OwnedSubmissions } from '../owned-submissions.ts';
import { OwnerMailbox } from './owner-mailbox.ts';
import type { OwnerReplies, OwnerReply, OwnerRequest } from './owner-requests.ts';
import type { SilentOwners } from './silent-owners.ts';

export interface OwnerCallsDependencies {
  /** Id of the dispatcher of this process. */
  readonly id: string;
  readonly tables: Coordination['tables'];
  readonly owned: OwnedSubmissions;
  readonly mailbox: OwnerMailbox;
  readonly silent: SilentOwners;
}

/** Milliseconds until the owner of a submission is looked up again when it does not answer. */
const OWNER_PATIENCE = 2000;
/** Milliseconds after which the worker that waits for the owner of a task gets another task. */
const CLAIM_PATIENCE = 1000;
/** Milliseconds that a request waits for its owner, the adoption after the death of a process included. */
const LONGEST_WAIT = 40_000;

/** Brings requests about a submission to the process that owns it, and answers those for this one. */
export class OwnerCalls {
  readonly #dependencies: OwnerCallsDependencies;

  constructor(dependencies: OwnerCallsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Lets the owner of a submission do something; undefined when the submission is not running.
   * `onSilent` is called, perhaps several times, when the owner does not answer soon.
   */
  async ask<Request extends OwnerRequest>(
    request: Request,
    onSilent?: () => void,
  ): Promise<OwnerReplies[Request['kind']] | undefined> {
    const { id: own, tables, owned, mailbox, silent: known } = this.#dependencies;
    const { sid } = request;
    const until = performance.now() + LONGEST_WAIT;
    const id = OwnerMailbox.newId();
    const expires = request.kind !== 'finish' && request.kind !== 'cancel';
    const silent = new Set<string>();
    const noteSilence = (owner: string): void => {
      silent.add(owner);
      known.add(owner);
      onSilent?.();
    };
    try {
      for (;;) {
        const here = owned.get(sid);
        const reply = here && (await this.answer(request));
        if (reply !== undefined) return reply as OwnerReplies[Request['kind']];
        const owner = (await tables.get(OWNERS, sid)) as string | undefined;
        if (owner === undefined || owner === NO_OWNER) return undefined;
        if (owner === own) {
          if (owned.get(sid) === undefined) return undefined;
        } else {
          const timer = onSilent && setTimeout(() => noteSilence(owner), CLAIM_PATIENCE);
          const sent = mailbox.send(owner, request, OWNER_PATIENCE, { id, expires });
          const answer = await sent.finally(() => clearTimeout(timer));
          if (answer !== 'late' && answer !== undefined) return answer as OwnerReplies[Request['kind']];
          if (answer === 'late' && expires) await mailbox.takeBack(owner, id);
        }
        if (performance.now() > until) {
          // A task whose owner is alive and silent stays in its queue.
          if (onSilent !== undefined) throw new Error('the owner of a task does not answer');
          return undefined;
        }
        await sleep(20, undefined, { ref: false });
      }
    } finally {
      for (const owner of silent) known.remove(owner);
    }
  }

  /** Does what a request asks for; undefined when the submission is not here. */
  async answer(request: OwnerRequest): Promise<OwnerReply | undefined> {
    const { owned } = this.#dependencies;
    const active = owned.get(request.sid);
    if (active === undefined) return undefined;
    switch (request.kind) {
      case 'claim':
        return active.handle((machine, moment) => {
          const { step, task } = machine.claim(request.claim, moment);
          return { step, reply: task === undefined ? {} : { task } };
        });
      case 'release':
        return active.handle((machine, moment) => ({
          step: machine.release(request.receipt, moment),
          reply: { isDone: true },
        }));
      case 'finish': {
        const { receipt, outcome } = request;
        const infos = await owned.childInfos(outcome.kind === 'result' ? outcome.summary.children : []);
        return active.handle((machine, moment) => {
          const { step, isAccepted } = machine.finish(receipt, outcome, infos, moment);
          return { step, reply: { isAccepted } };
        });
      }
      case 'wants':
        return active.read((machine) => ({ isWanted: machine.wants(request.receipt) }));
      case 'preempt':
        return active.handle((machine, moment) => ({
          step: machine.preempt(request.taskId, request.reason, moment),
          reply: { isDone: true },
        }));
      case 'watch':
        return active.handle((machine, moment) => ({
          step: machine.watch(request.watcher, moment),
          reply: { isDone: true },
        }));
      case 'outstanding':
        return active.read((machine) => ({ counts: machine.outstanding() }));
      case 'cancel':
        return active.handle((machine, moment) => ({ step: machine.cancel(moment), reply: { isDone: true } }));
    }
  }
}
