import { ASSESSMENTS, type Assessment } from '../../../documents/kinds/record-parts.ts';
import type { RequestedOperation } from '../../hits/changes/update-requests.ts';
import { ESCALATION_OF_ASSESSMENT, type Escalation, verdict } from '../../hits/triage/triage-transitions.ts';
import {
  BASIC_LIMIT,
  executed,
  type HitUpdates,
  type Operation,
  type OperationSpecification,
  type Outcome,
  queryOfIds,
  refused,
  skipped,
  specified,
  textArgument,
} from '../operation.ts';

/** `promote`: alerts that deserve more attention, up to a verdict that they were right. */
export function promote(service: HitUpdates): Operation {
  return escalationOperation(service, {
    id: 'promote',
    title: 'Promote Hit',
    short: 'Raise the escalation of alerts',
    told: { doing: 'promoting', done: 'Promoted' },
    escalations: ['hit', 'alert', 'evidence'],
    standard: 'alert',
    final: 'evidence',
    also: () => [],
  });
}

/** `demote`: alerts that deserve less attention, down to a verdict that they were wrong. */
export function demote(service: HitUpdates): Operation {
  return escalationOperation(service, {
    id: 'demote',
    title: 'Demote Hit',
    short: 'Lower the escalation of alerts',
    told: { doing: 'demoting', done: 'Demoted' },
    escalations: ['miss', 'hit', 'alert'],
    standard: 'hit',
    final: 'miss',
    also: (username) => [set('howler.assignment', username)],
  });
}

interface EscalationOperation {
  readonly id: string;
  readonly title: string;
  readonly short: string;
  readonly told: { readonly doing: string; readonly done: string };
  readonly escalations: readonly Escalation[];
  readonly standard: Escalation;
  /** The escalation that is a verdict: it takes an assessment and resolves the alert. */
  readonly final: 'evidence' | 'miss';
  /** Returns the further changes of a verdict. */
  readonly also: (username: string) => readonly RequestedOperation[];
}

function escalationOperation(service: HitUpdates, about: EscalationOperation): Operation {
  const { told, escalations, final } = about;
  return {
    specification: specificationOf(about),
    limit: BASIC_LIMIT,
    onlyUpdates: true,
    async run({ actor, selection }, given) {
      const { query } = selection;
      const wanted = textArgument(given, 'escalation') ?? about.standard;
      const escalation = escalations.find((known) => known === wanted);
      if (escalation === undefined) {
        return [refused(query, 'Invalid Escalation', `'${wanted}' is not a valid escalation.`)];
      }
      const assessment = textArgument(given, 'assessment');
      if (escalation === final && assessment === undefined) {
        const message = `You must provide as assessment value when ${told.doing} to ${final}.`;
        return [refused(query, 'Missing assessment', message)];
      }
      const known = assessmentsOf(final).find((candidate) => candidate === assessment);
      if (escalation === final && known === undefined) {
        const message = `The assessment must be one of ${assessmentsOf(final).join(', ')}.`;
        return [refused(query, 'Invalid Assessment', message)];
      }
      const rationale = textArgument(given, 'rationale') ?? null;
      const changes =
        escalation === final && known !== undefined
          ? [...verdict(known, rationale).map(({ key, value }) => set(key, value)), ...about.also(actor.username)]
          : undecided(escalation);
      const unchanged = { kind: 'term', field: 'howler.escalation', value: escalation } as const;
      const ids = await selection.unchanged(BASIC_LIMIT.advanced, unchanged);
      await selection.update(service, changes);
      const outcomes: Outcome[] = [];
      if (ids.length > 0) {
        const message = `These hits have the escalation ${escalation} already.`;
        outcomes.push(skipped(queryOfIds(ids), 'Skipped Hit with Escalation', message));
      }
      return [...outcomes, executed(query, `${told.done} to '${escalation}' for all matching hits.`)];
    },
  };
}

function specificationOf(about: EscalationOperation): OperationSpecification {
  const { id, title, short, escalations, standard, final } = about;
  const others = escalations.filter((escalation) => escalation !== final);
  const none = others.map((escalation) => [`escalation:${escalation}`, []] as const);
  const assessments = Object.fromEntries([[`escalation:${final}`, assessmentsOf(final)], ...none]);
  const condition = [`escalation:${final}`];
  return specified({
    id,
    title,
    short,
    long: `Sets the escalation of every alert of the query.\n\n- \`escalation\`: ${escalations.join(', ')}. Default: ${standard}. ${final} is a verdict and resolves the alert; the others take a verdict back.\n- \`assessment\`: the verdict, needed for ${final}.\n- \`rationale\`: why.`,
    steps: [
      {
        args: { escalation: [] },
        options: { escalation: escalations },
        validation: { warn: { query: 'howler.escalation:$escalation' } },
      },
      { args: { assessment: condition, rationale: condition }, options: { assessment: assessments } },
    ],
  });
}

function assessmentsOf(escalation: Escalation): readonly Assessment[] {
  return ASSESSMENTS.filter((assessment) => ESCALATION_OF_ASSESSMENT[assessment] === escalation);
}

/** Without a verdict. The status stays. */
function undecided(escalation: Escalation): readonly RequestedOperation[] {
  const cleared = ['howler.assessment', 'howler.rationale', 'howler.triaged'];
  return [set('howler.escalation', escalation), ...cleared.map((key) => set(key, null))];
}

function set(key: string, value: string | null): RequestedOperation {
  return { operation: 'SET', key, value };
}
