import { queryOfValues } from '../../query/model/record-queries.ts';

/** The fields that name a tactic or technique of MITRE ATT&CK. */
export const ATTACK_FIELDS = ['threat.tactic.id', 'threat.technique.id'] as const;
export const ESCALATION_FIELD = 'howler.escalation';

interface TimelineChoice {
  readonly escalation: string | undefined;
  /** Identifier of a tactic or technique. */
  readonly attack: string | undefined;
}

/** Returns the filters of a search for what the reader chose to see in the timeline. */
export function timelineFilters({ escalation, attack }: TimelineChoice): string[] {
  return [
    ...(escalation === undefined ? [] : [queryOfValues(ESCALATION_FIELD, [escalation])]),
    ...(attack === undefined ? [] : [ATTACK_FIELDS.map((field) => queryOfValues(field, [attack])).join(' OR ')]),
  ];
}
