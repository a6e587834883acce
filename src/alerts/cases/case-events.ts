import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Case } from '../../documents/kinds/case.ts';

/** What happens to cases, told to the parts of the program that follow it. Called after the write; nothing here undoes it. */
export interface CaseEvents {
  created(document: Case): Promise<void>;
  /** A case as it is now. Not called when cases are hidden or deleted (contract/alert.md section 8). */
  changed(document: Case): Promise<void>;
}

/** Payload of the event `cases`. Whoever passes it on to people leaves out what is above their classification. */
export interface CaseChanged {
  readonly case: Case;
}

export const CASES_CHANNEL = 'alerts.events.cases';

export interface CaseEventPublisherDependencies {
  events: Pick<Coordination['events'], 'publish'>;
  counters: { created(): void };
  log: { warn(entry: object, message: string): void };
}

/** Tells it through the coordination port, so that every process of the installation can follow. */
export class CaseEventPublisher implements CaseEvents {
  readonly #dependencies: CaseEventPublisherDependencies;
  readonly #log: RateLimitedLogger;

  constructor(dependencies: CaseEventPublisherDependencies) {
    this.#dependencies = dependencies;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  async created(document: Case): Promise<void> {
    this.#dependencies.counters.created();
    await this.changed(document);
  }

  async changed(document: Case): Promise<void> {
    try {
      await this.#dependencies.events.publish(CASES_CHANNEL, { case: document } satisfies CaseChanged);
    } catch (error) {
      this.#log.warn({ err: error, case: document.case_id }, 'a change of a case could not be published');
    }
  }
}
