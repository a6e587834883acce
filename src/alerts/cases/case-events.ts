import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Case } from '../../documents/kinds/case.ts';

/** Reports what happens to cases. Called after the write; a failure does not undo it. */
export interface CaseEvents {
  created(document: Case): Promise<void>;
  /** Reports a changed case, not a hidden or deleted one (contract/alert.md section 8). */
  changed(document: Case): Promise<void>;
}

/** Payload of the event `cases`; subscribers leave out what is above their users' classification. */
export interface CaseChanged {
  readonly case: Case;
}

export const CASES_CHANNEL = 'alerts.events.cases';

export interface CaseEventPublisherDependencies {
  events: Pick<Coordination['events'], 'publish'>;
  counters: { created(): void };
  log: { warn(entry: object, message: string): void };
}

/** Publishes the events through the coordination port, to every process of the installation. */
export function caseEventPublisher({ events, counters, log }: CaseEventPublisherDependencies): CaseEvents {
  const failures = new RateLimitedLogger(log);
  const changed = async (document: Case) => {
    try {
      await events.publish(CASES_CHANNEL, { case: document } satisfies CaseChanged);
    } catch (error) {
      failures.warn({ err: error, case: document.case_id }, 'a change of a case could not be published');
    }
  };
  return {
    changed,
    async created(document) {
      counters.created();
      await changed(document);
    },
  };
}
