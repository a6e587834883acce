import { isUnavailable } from '../../errors/errors.ts';
import type { Clock } from './clock.ts';
import { type Journal, Superseded } from './journal.ts';
import type { Effect, Step } from './progress/facts.ts';
import type { Moment, SubmissionMachine } from './progress/submission-machine.ts';

export interface ActiveSubmissionDependencies {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The services and the time now. */
  readonly moment: () => Promise<Moment>;
  readonly storeErrors: (errors: Step['errors']) => Promise<void>;
  /** Carries out effects; may be called again with the same ones. */
  readonly perform: (machine: SubmissionMachine, effects: readonly Effect[]) => Promise<void>;
  /** Reads the submission from its journal; undefined when it is over or not of this process. */
  readonly restore: (journal: Journal) => Promise<SubmissionMachine | undefined>;
  readonly onEnd: () => void;
  readonly log: { warn(entry: object, message: string): void; error(entry: object, message: string): void };
}

/** Milliseconds without an event after which a submission is looked at. */
const CHECK_INTERVAL = 20 * 60_000;
/** Milliseconds between two attempts to continue after a failure. */
const REPAIR_INTERVAL = 1000;

/**
 * One submission that this process dispatches, an event at a time.
 * Events are decided, written to the journal, carried out. After a failure the state is read from the journal again, and
 * its effects are repeated.
 */
export class ActiveSubmission {
  readonly sid: string;
  readonly #dependencies: ActiveSubmissionDependencies;
  /** Undefined while it has to be read again. */
  #machine: SubmissionMachine | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  #isOver = false;

  constructor(sid: string, dependencies: ActiveSubmissionDependencies) {
    this.sid = sid;
    this.#dependencies = dependencies;
  }

  /** Handles one event after those before it. Undefined when the submission is over here. */
  handle<T>(decide: (machine: SubmissionMachine, moment: Moment) => { step: Step; reply: T }): Promise<T | undefined> {
    return this.#inTurn(async () => {
      const machine = await this.#current();
      if (machine === undefined) return undefined;
      const { step, reply } = decide(machine, await this.#dependencies.moment());
      return (await this.#commit(machine, step)) ? reply : undefined;
    });
  }

  /** Reads the present state without an event. */
  read<T>(look: (machine: SubmissionMachine) => T): Promise<T | undefined> {
    return this.#inTurn(async () => {
      const machine = await this.#current();
      return machine && look(machine);
    });
  }

  /** Services whose workers run on it at this moment; one for each run. */
  runningServices(): readonly string[] {
    return [...(this.#machine?.state.running ?? [])].map(({ service }) => service);
  }

  /** Stores and carries out the first step of a new submission. */
  begin(machine: SubmissionMachine, step: Step): Promise<void> {
    return this.#inTurn(async () => {
      this.#machine = machine;
      await this.#commit(machine, step);
    });
  }

  /** Reads it from its journal again, and leaves it when another process owns it. */
  reload(): void {
    this.#inBackground(
      this.#inTurn(async () => {
        this.#machine = undefined;
        await this.#current();
      }),
    );
  }

  /** Leaves the submission to others, after the event that is being handled. */
  async abandon(): Promise<void> {
    await this.#inTurn(async () => this.#end());
  }

  /** Returns false when another process owns the submission. */
  async #commit(machine: SubmissionMachine, step: Step): Promise<boolean> {
    const { journal, storeErrors, perform, log } = this.#dependencies;
    try {
      if (step.errors.size > 0) await storeErrors(step.errors);
      await journal.append(step.facts);
    } catch (error) {
      // The machine is ahead of the journal, or another process is.
      this.#machine = undefined;
      this.#repairLater();
      if (error instanceof Superseded) return false;
      throw error;
    }
    try {
      await perform(machine, step.effects);
      if (step.effects.some(({ kind }) => kind === 'complete')) this.#end();
      else this.#setTimer(machine);
    } catch (err) {
      log.warn({ err, sid: this.sid }, 'a step of a submission was not carried out; it is repeated');
      this.#machine = undefined;
      this.#repairLater();
    }
    return true;
  }

  /** The machine, read from the journal after a failure. */
  async #current(): Promise<SubmissionMachine | undefined> {
    if (this.#isOver || this.#machine !== undefined) return this.#isOver ? undefined : this.#machine;
    const { restore, journal, perform, moment } = this.#dependencies;
    const machine = await restore(journal);
    if (machine === undefined) {
      this.#end();
      return undefined;
    }
    const step = machine.resume(await moment());
    if (step.errors.size > 0) await this.#dependencies.storeErrors(step.errors);
    await journal.append(step.facts);
    await perform(machine, step.effects);
    if (step.effects.some(({ kind }) => kind === 'complete')) {
      this.#end();
      return undefined;
    }
    this.#machine = machine;
    this.#setTimer(machine);
    return machine;
  }

  #setTimer(machine: SubmissionMachine): void {
    const { clock } = this.#dependencies;
    this.#cancelTimer();
    const deadline = machine.nextDeadline();
    const until = deadline === undefined ? CHECK_INTERVAL : Math.min(deadline - clock.now() + 1, CHECK_INTERVAL);
    const isCheck = until === CHECK_INTERVAL;
    this.#cancelTimer = clock.after(until, () => {
      this.#inBackground(
        this.handle((current, moment) => ({
          step: isCheck ? current.check(moment) : current.expire(moment),
          reply: undefined,
        })),
      );
    });
  }

  #repairLater(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#dependencies.clock.after(REPAIR_INTERVAL, () => {
      this.#inBackground(this.#inTurn(() => this.#current()));
    });
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => {
      const { log } = this.#dependencies;
      if (isUnavailable(err)) log.warn({ err, sid: this.sid }, 'a submission cannot be continued; it is tried again');
      else log.error({ err, sid: this.sid }, 'a submission cannot be continued; it is tried again');
      if (!this.#isOver) this.#repairLater();
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    this.#dependencies.onEnd();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
