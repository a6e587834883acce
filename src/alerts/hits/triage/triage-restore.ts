import { type Static, Type } from 'typebox';
import type { Versioned } from '../../../datastore/port/collection.ts';
import { HIT_ESCALATIONS, type Hit, UNASSIGNED } from '../../../documents/kinds/hit.ts';
import { ASSESSMENTS, STATUSES } from '../../../documents/kinds/record-parts.ts';
import { readDate, UnreadableDate } from '../../../documents/schema/values/date-values.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { converted, oneOf } from '../../../input/input-kinds.ts';
import { changeOperations, type HitChange } from '../changes/hit-log.ts';
import type { ChangeOptions, HitStore } from '../hit-store.ts';

const cleared = { description: 'Absent: the alert has none.' };

/** The triage of an alert as a whole. */
export const TriageStateBody = Type.Object({
  status: oneOf(STATUSES, { examples: ['open'] }),
  assignment: Type.String({ minLength: 1, description: 'User name, or `unassigned`.', examples: [UNASSIGNED] }),
  escalation: oneOf(HIT_ESCALATIONS, { examples: ['hit'] }),
  assessment: Type.Optional(oneOf(ASSESSMENTS, cleared)),
  rationale: Type.Optional(Type.String(cleared)),
  triaged: Type.Optional(converted(Type.String({ format: 'date-time', ...cleared }), dateOf)),
});
export type TriageState = Static<typeof TriageStateBody>;

const KEYS = ['status', 'assignment', 'escalation', 'assessment', 'rationale', 'triaged'] as const;

/**
 * Writes a former triage back and logs each field that differs. Fires no trigger, because it takes a
 * change back. No transition leads from a verdict to an alert that is open and unassigned.
 * @throws NotFound `hit_missing`; Conflict `version_conflict`, when the alert is not at `ifMatch`
 */
export function restoreTriage(
  store: HitStore,
  actor: Actor,
  id: string,
  state: TriageState,
  options: Pick<ChangeOptions, 'ifMatch' | 'visible'>,
): Promise<Versioned<Hit>> {
  return store.change(actor, id, options, (context) => {
    const changes = KEYS.flatMap((key): HitChange[] => {
      const value = state[key] ?? null;
      if (value === (context.hit.howler[key] ?? null)) return [];
      const change = { kind: 'set', key: `howler.${key}`, value } as const;
      // As in transitions: the reason of a verdict is for people, not for the log.
      return [key === 'rationale' ? { ...change, silent: true } : change];
    });
    return changeOperations(changes, context);
  });
}

function dateOf(text: string): string {
  try {
    return readDate(text, new Date());
  } catch (error) {
    if (!(error instanceof UnreadableDate)) throw error;
    throw new InvalidInput('invalid_date', `"${text.slice(0, 100)}" is not a date in ISO 8601.`, { at: 'triaged' });
  }
}
