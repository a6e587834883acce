import type { Coordination, Lock } from '../../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../../coordination/rate-limited-logger.ts';

export interface PeersDependencies {
  readonly id: string;
  readonly coordination: Pick<Coordination, 'tables' | 'locks'>;
  /** Dispatchers that have submissions. */
  readonly owners: () => Promise<ReadonlySet<string>>;
  /** Takes over what a dead dispatcher had; returns whether that was everything. */
  readonly adopt: (dead: string) => Promise<boolean>;
  /** Looks for submissions of this dispatcher that it does not know. */
  readonly reclaim: () => Promise<void>;
  /** Called when this dispatcher may have been taken for dead. */
  readonly onLost: () => void;
  readonly log: { warn(entry: object, message: string): void; info(entry: object, message: string): void };
}

const TABLE = 'dispatchers';
/** Milliseconds after which a dispatcher that does not renew its lease counts as dead. */
const LEASE = 10_000;
const INTERVAL = 2500;
/** Milliseconds that one process may take to adopt before another one tries. */
const ADOPTION_LEASE = 120_000;

const lockOf = (id: string) => `dispatcher:${id}`;

/** The dispatchers of all processes: each renews a lease, and each looks for leases that ended. */
export class Peers {
  readonly #dependencies: PeersDependencies;
  readonly #failures: RateLimitedLogger;
  #lock: Lock | undefined;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isOpen = false;

  constructor(dependencies: PeersDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  /** Registers this dispatcher and adopts what dead ones have left. */
  async start(): Promise<void> {
    const { id, coordination } = this.#dependencies;
    this.#isOpen = true;
    this.#lock = await coordination.locks.acquire(lockOf(id), LEASE);
    await coordination.tables.put(TABLE, id, {});
    this.#round = this.#adoptDead();
    this.#schedule();
    await this.#round;
  }

  /** Gives the lease back, so that others adopt at once what is left. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    await this.#round.catch(() => undefined);
    await this.#lock?.release();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#look().finally(() => {
        if (this.#isOpen) this.#schedule();
      });
    }, INTERVAL).unref();
  }

  async #look(): Promise<void> {
    try {
      if (!(await this.#lock?.renew(LEASE))) {
        const { id, coordination, onLost } = this.#dependencies;
        this.#lock = await coordination.locks.acquire(lockOf(id), LEASE);
        await coordination.tables.put(TABLE, id, {});
        onLost();
      }
      await this.#adoptDead();
      await this.#dependencies.reclaim();
    } catch (err) {
      this.#failures.warn({ err }, 'the lease of the dispatcher cannot be renewed; it is tried again');
    }
  }

  async #adoptDead(): Promise<void> {
    const { id, coordination, owners, adopt, log } = this.#dependencies;
    const registered = new Set<string>((await coordination.tables.entries(TABLE)).keys());
    for (const other of registered.union(await owners())) {
      if (other === id || !this.#isOpen) continue;
      const lock = await coordination.locks.acquire(lockOf(other), ADOPTION_LEASE);
      if (lock === undefined) continue;
      try {
        log.info({ dispatcher: other }, 'adopting the submissions of a dispatcher that ended');
        if (await adopt(other)) await coordination.tables.take(TABLE, other);
      } finally {
        await lock.release();
      }
    }
  }
}
