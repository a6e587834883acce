import type { Coordination } from '../../../coordination/coordination.ts';
import { not } from '../../../datastore/port/query-tree.ts';
import { TRIGGERS } from '../../../documents/kinds/action.ts';
import { ASSESSMENTS, STATUSES } from '../../../documents/kinds/record-parts.ts';
import { isTriadError } from '../../../errors/errors.ts';
import { ACTIONS_CHANNEL, eventPublisher } from '../../event-publisher.ts';
import type { HitStore } from '../../hits/hit-store.ts';
import { applyTransition, readTransitionData } from '../../hits/triage/hit-triage.ts';
import { TRANSITIONS, type TransitionName, transitionsFrom, VOTES } from '../../hits/triage/triage-transitions.ts';
import {
  BASIC_LIMIT,
  executed,
  limitOf,
  type Operation,
  type OperationArguments,
  type OperationRun,
  type OperationSpecification,
  type Outcome,
  queryOfIds,
  refused,
  rejectAboveLimit,
  skipped,
  specified,
  textArgument,
} from '../operation.ts';

interface TransitionOperationDependencies {
  store: HitStore;
  events: Pick<Coordination['events'], 'publish'>;
  log: { warn(entry: object, message: string): void };
}

/** Payload of the event `action`, which shows users the progress of a run. */
interface ActionProgressed {
  readonly request_id: string;
  readonly processed: number;
  readonly total: number;
}

/** Number of alerts from one event of a run to the next. */
const INTERVAL = 10;

const specification: OperationSpecification = specified({
  id: 'transition',
  title: 'Transition',
  priority: 9,
  short: 'Move alerts through triage',
  long: 'Makes a transition with every alert of the query that has the status; the others are passed over.\n\n- `status`: what the alerts are now.\n- `transition`: what is done with them.\n- `assignee`, `assessment`, `rationale`, `vote`, `email`: what the transition needs.',
  steps: [
    {
      args: { status: [] },
      options: { status: STATUSES },
      validation: { error: { query: '-howler.status:$status' } },
    },
    {
      args: { transition: [] },
      options: {
        transition: Object.fromEntries(STATUSES.map((status) => [`status:${status}`, transitionsFrom(status)])),
      },
    },
    {
      args: {
        assignee: ['transition:assign_to_me', 'transition:assign_to_other', 'transition:assess'],
        assessment: ['transition:assess'],
        rationale: ['transition:assess'],
        vote: ['transition:vote'],
        email: ['transition:vote'],
      },
      options: { vote: VOTES, assessment: ASSESSMENTS },
    },
  ],
  triggers: TRIGGERS.filter((trigger) => trigger !== 'create'),
});

/** Returns `transition`, which moves alerts one by one; each logs, reports and triggers as by a user. */
export function transition({ store, events, log }: TransitionOperationDependencies): Operation {
  const publish = eventPublisher<ActionProgressed>(events, log, ACTIONS_CHANNEL);
  return {
    // It counts the alerts of a status alone, and looks at its limit by itself.
    specification: { ...specification, description: { ...specification.description, limit: BASIC_LIMIT } },
    async run(run, given) {
      const { actor, selection, requestId, origin } = run;
      const wanted = textArgument(given, 'transition');
      if (wanted === undefined) {
        return [refused(selection.query, 'Missing Transition', 'A transition must be provided.')];
      }
      const found = await findByStatus(run, given);
      if ('refusal' in found) return [found.refusal];
      const { status, ids } = found;
      const name = transitionNamed(wanted);
      if (name === undefined) {
        const message = `'${wanted}' is not a transition. It must be one of ${TRANSITIONS.join(', ')}.`;
        return [refused(selection.query, 'Invalid Transition', message)];
      }
      const data = readTransitionData(given);
      const outcomes: Outcome[] = [];
      const others = await selection.count(not({ kind: 'term', field: 'howler.status', value: status }));
      if (others > 0) {
        const { query } = await selection.narrowed(`-howler.status:${status}`);
        outcomes.push(skipped(query, `Skipped ${others} hits`, `These hits do not have the status ${status}.`));
      }
      const done: string[] = [];
      for (const [index, id] of ids.entries()) {
        // Making the last write visible makes those before it visible, too; one by one would take a refresh each.
        const visible = index === ids.length - 1 ? 'now' : 'soon';
        try {
          await applyTransition(store, actor, id, name, data, { visible, origin });
          done.push(id);
        } catch (error) {
          if (!isTriadError(error)) throw error;
          outcomes.push(refused(queryOfIds([id]), ...explained(error)));
        }
        const processed = index + 1;
        if (processed % INTERVAL === 0)
          await publish(requestId, { request_id: requestId, processed, total: ids.length });
      }
      if (done.length > 0) {
        const message = `The transition ${wanted} successfully executed on ${done.length} hits.`;
        outcomes.push({ ...executed(queryOfIds(done), message), title: 'Transition Executed Successfully' });
      }
      return outcomes;
    },
  };
}

/** The alerts that have the status that the arguments name; none: the outcome that says so. */
async function findByStatus(
  { actor, selection }: OperationRun,
  given: OperationArguments,
): Promise<{ readonly status: string; readonly ids: readonly string[] } | { readonly refusal: Outcome }> {
  const wanted = textArgument(given, 'status');
  if (wanted === undefined)
    return { refusal: refused(selection.query, 'Missing Status', 'A status must be provided.') };
  const status = STATUSES.find((known) => known === wanted);
  const matching = status && (await selection.narrowed(`howler.status:${status}`));
  const refusal = matching && (await rejectAboveLimit(actor, matching, BASIC_LIMIT));
  if (refusal) return { refusal };
  const ids = matching ? (await matching.ids(limitOf(actor, BASIC_LIMIT))).ids : [];
  if (status !== undefined && ids.length > 0) return { status, ids };
  const message = 'No hits matched this query, so the automation skipped.';
  return { refusal: skipped(selection.query, 'No matching hits', message) };
}

/** However it is written: `re_evaluate`, `Re-Evaluate`. */
function transitionNamed(text: string): TransitionName | undefined {
  const name = text.toLowerCase().replaceAll('-', '_');
  return TRANSITIONS.find((known) => known === name);
}

function explained({ code, message }: { code: string; message: string }): [title: string, message: string] {
  return code === 'version_conflict'
    ? ['Version Conflict', 'Others kept changing the hit at the same time.']
    : ['An error occurred while processing.', message];
}
