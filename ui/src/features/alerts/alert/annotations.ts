import { memberOf, stringMember } from '../../../json/members.ts';

/** A statement of a source about a value. */
export interface Annotation {
  readonly source: string;
  /** Kind: opinion, frequency, assessment, mitigation, context, or a kind of a later version. */
  readonly kind: string;
  readonly value: string;
  readonly summary: string;
}

const KINDS = ['opinion', 'assessment', 'mitigation', 'frequency', 'context'];

/** Reads the answer of a lookup, opinions first. Entries of another shape are left out. */
export function annotationsOf(answer: unknown): readonly Annotation[] {
  const found: Annotation[] = [];
  for (const byValue of valuesOf(answer)) {
    for (const bySource of valuesOf(byValue)) {
      for (const result of valuesOf(bySource)) {
        const source = stringMember(result, 'source');
        for (const item of valuesOf(memberOf(result, 'items'))) {
          for (const annotation of valuesOf(memberOf(item, 'annotations'))) {
            found.push({
              source: stringMember(annotation, 'analytic') || source,
              kind: stringMember(annotation, 'type'),
              value: stringMember(annotation, 'value'),
              summary: stringMember(annotation, 'summary'),
            });
          }
        }
      }
    }
  }
  const rank = ({ kind }: Annotation) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);
  return found.toSorted((left, right) => rank(left) - rank(right));
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
