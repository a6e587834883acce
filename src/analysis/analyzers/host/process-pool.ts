import { AnalyzerProcess, type AnalyzerProcessOptions } from './analyzer-process.ts';

export interface ProcessPoolOptions extends AnalyzerProcessOptions {
  /** Milliseconds after which a process without a task ends. Default 5 minutes. */
  readonly idleTime?: number;
  /** Tasks after which a process is replaced. Default 1,000. */
  readonly maxTasks?: number;
  /** Bytes of memory that a process may keep between two tasks. Default 192 MB. */
  readonly maxIdleMemory?: number;
}

interface Member {
  readonly process: AnalyzerProcess;
  tasks: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Analyzer processes, kept warm between tasks: starting one takes 100 ms.
 * The caller bounds how many are lent at a time. A process that grew, or had many tasks, is replaced.
 */
export class ProcessPool {
  readonly #options: Required<Omit<ProcessPoolOptions, 'entry'>> & AnalyzerProcessOptions;
  readonly #members = new Set<Member>();
  /** The last one was used last. */
  readonly #idle: Member[] = [];
  #stopped = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = { idleTime: 300_000, maxTasks: 1000, maxIdleMemory: 192 * 1_048_576, ...options };
  }

  /** Number of processes, idle ones included. */
  get size(): number {
    return this.#members.size;
  }

  /** Lends a process to `use`; one that is gone afterwards is forgotten. */
  async withProcess<T>(use: (process: AnalyzerProcess) => Promise<T>): Promise<T> {
    const member = this.#takeIdle() ?? (await this.#start());
    try {
      return await use(member.process);
    } finally {
      await this.#giveBack(member);
    }
  }

  /** Kills every process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  #takeIdle(): Member | undefined {
    for (;;) {
      const member = this.#idle.pop();
      if (member === undefined) return undefined;
      clearTimeout(member.idle);
      if (member.process.isAlive) return member;
      void this.#end(member);
    }
  }

  async #start(): Promise<Member> {
    const member: Member = { process: await AnalyzerProcess.start(this.#options), tasks: 0, idle: undefined };
    this.#members.add(member);
    if (this.#stopped) await this.#end(member);
    return member;
  }

  async #giveBack(member: Member): Promise<void> {
    const { maxTasks, maxIdleMemory, idleTime } = this.#options;
    member.tasks += 1;
    const isUsable =
      !this.#stopped &&
      member.process.isAlive &&
      member.tasks < maxTasks &&
      ((await member.process.memory()) ?? Number.POSITIVE_INFINITY) <= maxIdleMemory &&
      (await member.process.clean().then(
        () => true,
        () => false,
      ));
    if (!isUsable || this.#stopped) return this.#end(member);
    member.idle = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(member), 1);
      void this.#end(member);
    }, idleTime).unref();
    this.#idle.push(member);
  }

  async #end(member: Member): Promise<void> {
    clearTimeout(member.idle);
    await member.process.end().catch(() => undefined);
    this.#members.delete(member);
  }
}
